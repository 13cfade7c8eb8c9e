#!/usr/bin/env bash
# Puts the site together in out/site, a folder that any web host can serve: the page with the engine and all scenes, and the
# documentation. `make site` builds what it needs first.
set -euo pipefail
cd "$(dirname "$0")/.."

page=web/page/dist/page
docs=build/site_docs
if [[ ! -f $page/index.html ]]; then
    echo "site.sh: there is no page in $page; \`make page\` builds it" >&2
    exit 1
fi
rm -rf out/site "$docs"
mkdir -p out/site "$docs"
cp -r docs/methods docs/tutorials docs/images docs/decisions docs/architecture.md "$docs"
# The README is the first page. What it points to outside of the documentation is named, but not linked.
sed -E 's#\]\(docs/#](#g; s#\[([^]]*)\]\(((examples|scenes|blender|web)(/[^)]*)?|CONTRIBUTING.md|scene\.schema\.json|decisions/?|methods/?)\)#`\1`#g' \
    README.md >"$docs/index.md"
# Methods and architecture point into the sources, which are no part of the site.
find "$docs" -name '*.md' -exec sed -i -E 's#\[([^]]*)\]\((\.\./)+(src|apps|tests|scenes|web|bench|blender|scripts|examples|CONTRIBUTING)[^)]*\)#`\1`#g' {} +
{
    echo "# Gallery"
    echo
    echo "Every scene runs live in your browser: [open the gallery](../index.html), or one of them."
    echo
    echo "| scene | what is to be seen |"
    echo "| --- | --- |"
    for scene in scenes/*.json; do
        name=$(basename "$scene" .json)
        about=$(sed -nE 's/^ *"about": "(.*)",?$/\1/p' "$scene" | head -1)
        echo "| [$name](../index.html#scene=$name) | $about |"
    done
} >"$docs/gallery.md"
cp -r "$page"/. out/site/
mkdocs build --quiet
echo "The site is in out/site: $(du -sh out/site | cut -f1), $(find out/site -type f | wc -l) files."
