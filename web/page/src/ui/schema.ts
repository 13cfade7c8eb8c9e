// Where the cursor is in a scene, and what the JSON Schema says may stand there.

export interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Suggestion {
  label: string;
  type: string;
  detail?: string;
  info?: string;
  apply?: string;
}

interface Place {
  /** Keys and "*" for elements of lists, from the outside in. */
  path: string[];
  /** The key whose value comes next; null where a key comes next. */
  key: string | null;
  /** Keys that the innermost object has already. */
  taken: string[];
  inObject: boolean;
}

/** Reads from the start of the text to its end; whatever is wrong with it on the way is skipped. */
export function placeAt(text: string): Place {
  const stack: { object: boolean; key: string | null; taken: string[] }[] = [];
  const tokens = /"((?:\\.|[^"\\])*)"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]:,]/g;
  let lastString: string | null = null;
  for (const match of text.matchAll(tokens)) {
    const token = match[0];
    const top = stack.at(-1);
    if (token[0] === '"') lastString = match[1]!;
    else if (token === "{" || token === "[") stack.push({ object: token === "{", key: null, taken: [] });
    else if (token === "}" || token === "]") stack.pop();
    else if (token === ":" && top?.object && lastString !== null) {
      top.key = lastString;
      top.taken.push(lastString);
    } else if (token === "," && top) top.key = null;
  }
  const path = stack.slice(0, -1).map((level) => (level.object ? level.key ?? "" : "*"));
  const top = stack.at(-1);
  if (top && !top.object) path.push("*");
  return { path, key: top?.object ? top.key : null, taken: top?.taken ?? [], inObject: top?.object ?? false };
}

function find(schema: Schema | undefined, path: string[]): Schema | undefined {
  let here = schema;
  for (const step of path) {
    if (!here) return undefined;
    if (here.anyOf) here = here.anyOf.find((option) => option.properties ?? option.items) ?? here;
    here = step === "*" ? here.items : here.properties?.[step];
  }
  return here;
}

function sketch(schema: Schema): string {
  if (schema.default !== undefined && typeof schema.default !== "object") return JSON.stringify(schema.default);
  if (schema.type === "object") return "{  }";
  if (schema.type === "array") return "[]";
  if (schema.type === "string") return '""';
  return schema.enum ? JSON.stringify(schema.enum[0]) : "0";
}

/** What may come after this text. */
export function suggest(schema: Schema, before: string): Suggestion[] {
  const place = placeAt(before);
  const here = find(schema, place.path);
  if (place.inObject && place.key === null) {
    return Object.entries(here?.properties ?? {}).filter(([name]) => !place.taken.includes(name)).map(([name, value]) => ({
      label: `"${name}"`, type: "property", detail: value.enum ? "choice" : value.type, info: value.description, apply: `"${name}": ${sketch(value)}`,
    }));
  }
  const value = place.key === null ? here : here?.properties?.[place.key];
  const choices = value?.enum ?? (value?.type === "boolean" ? [true, false] : []);
  return choices.map((choice) => ({ label: JSON.stringify(choice), type: "enum", info: value?.description }));
}

/** What a key means, for the text before it. */
export function describe(schema: Schema, before: string, key: string): string {
  const found = find(schema, placeAt(before).path)?.properties?.[key];
  if (!found) return "";
  const usual = found.default === undefined || typeof found.default === "object" ? "" : ` Default ${JSON.stringify(found.default)}.`;
  const choices = found.enum ? ` One of ${found.enum.join(", ")}.` : "";
  return `${found.description ?? key}.${choices}${usual}`;
}
