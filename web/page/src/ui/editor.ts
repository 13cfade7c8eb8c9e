// The scene editor: CodeMirror with errors at their lines and completion from the JSON Schema. Loaded when it is opened.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem } from "../engine/protocol";
import { describe, suggest, type Schema } from "./schema";

/** JSON with comments. A property name is told from a string by the colon behind it. */
const sceneLanguage = StreamLanguage.define<null>({
  name: "scene",
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"(?=\s*:)/)) return "propertyName";
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/^-?\d[\d.eE+-]*/)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "bool";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["[", "{", '"'] } },
});

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.bool, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
]);

function complete(schema: () => Schema | null): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const known = schema();
    if (!known) return null;
    const word = context.matchBefore(/"?[\w$-]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const options = suggest(known, context.state.doc.sliceString(0, word.from));
    return options.length ? { from: word.from, to: context.pos, options, validFor: /^"?[\w$-]*$/ } : null;
  };
}

export class Editor {
  readonly view: EditorView;
  private schema: Schema | null = null;

  constructor(parent: HTMLElement, onrun: () => void) {
    const run = (): boolean => {
      onrun();
      return true;
    };
    const help = hoverTooltip((view, at) => {
      const line = view.state.doc.lineAt(at);
      const key = [...line.text.matchAll(/"([\w$-]+)"\s*:/g)].find((m) => line.from + m.index <= at && at <= line.from + m.index + m[0].length);
      const text = key && this.schema ? describe(this.schema, view.state.doc.sliceString(0, line.from + key.index), key[1]!) : "";
      if (!key || !text) return null;
      return { pos: line.from + key.index, create: () => ({ dom: Object.assign(document.createElement("div"), { className: "code-help", textContent: text }) }) };
    });
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
          sceneLanguage, syntaxHighlighting(highlight), indentUnit.of("    "), help,
          autocompletion({ override: [complete(() => this.schema)] }),
          keymap.of([
            { key: "Mod-Enter", run }, { key: "Mod-/", run: toggleComment }, ...closeBracketsKeymap, ...completionKeymap,
            ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Scene" }),
        ],
      }),
    });
  }

  setSchema(schema: object): void {
    this.schema = schema as Schema;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    this.mark([]);
  }

  /** Shows problems at their lines and goes to the first. */
  mark(problems: Problem[]): void {
    const { doc } = this.view.state;
    const diagnostics = problems.map((problem): Diagnostic => {
      const line = doc.line(Math.min(Math.max(1, problem.line), doc.lines));
      const indent = line.text.length - line.text.trimStart().length;
      const from = Math.min(line.to, line.from + (problem.column > 0 ? problem.column - 1 : indent));
      return { from, to: Math.max(from, line.to), severity: "error", message: (problem.path ? `${problem.path}: ` : "") + problem.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.sort((a, b) => a.from - b.from)));
    if (diagnostics[0]) this.view.dispatch({ effects: EditorView.scrollIntoView(diagnostics[0].from, { y: "center" }) });
  }
}
