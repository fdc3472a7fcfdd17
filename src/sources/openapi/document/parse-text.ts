import type { Schema } from 'js-yaml'
import { isObject } from '../../../platform/json/is-object.js'

type JsonObject = Readonly<Record<string, unknown>>

export type ParsedText =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly why: string }

/**
 * Parses a document in JSON or YAML. `why` is the rest of a sentence. Aliases of YAML are not copied: a part that occurs
 * twice is one object, and an alias inside its own anchor makes a circle.
 */
export async function parseText(text: string): Promise<ParsedText> {
  const bare = text.replace(/^\uFEFF/, '')
  const first = /\S/.exec(bare)?.[0]
  if (first === undefined) return { ok: false, why: 'it is empty' }
  if (first === '<') return { ok: false, why: whyMarkup(bare) }
  if (first === '{') {
    const value = parseJson(bare)
    if (value !== undefined) return fromValue(value)
  }
  const parseYaml = await loadYamlParser()
  try {
    return fromValue(parseYaml(withoutTabs(bare)))
  } catch (error) {
    const [line = 'it cannot be read'] = (error as Error).message.split('\n')
    return { ok: false, why: `it is neither JSON nor YAML (${line.slice(0, 200)})` }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // JSON with comments or trailing commas is YAML in most cases.
    return undefined
  }
}

const MAX_DEPTH = 500
const MAX_MERGED_KEYS = 1_000_000

let yamlSchema: Schema | undefined

/** js-yaml takes an eighth of the time that yaml takes. */
async function loadYamlParser(): Promise<(text: string) => unknown> {
  const yaml = await import('js-yaml')
  // Tags of other tools, such as `!Sub`, say how a value is made; the value itself is read.
  yamlSchema ??= yaml.CORE_SCHEMA.withTags(
    yaml.mergeTag,
    ['!', 'tag:yaml.org,2002:'].flatMap((prefix) => [
      yaml.defineScalarTag(prefix, {
        matchByTagPrefix: true,
        resolve: (source) => source,
        identify: () => false,
      }),
      { ...yaml.seqTag, tagName: prefix, matchByTagPrefix: true, identify: () => false },
      { ...yaml.mapTag, tagName: prefix, matchByTagPrefix: true, identify: () => false },
    ]),
  )
  const options = {
    schema: yamlSchema,
    // Keys that occur twice are common; the last one counts, as in JSON.
    json: true,
    maxDepth: MAX_DEPTH,
    maxTotalMergeKeys: MAX_MERGED_KEYS,
  }
  return (text) => yaml.loadAll(text, options).find(isObject)
}

/** YAML forbids tabs as indentation. Where a text has no other indentation, their meaning is clear all the same. */
function withoutTabs(text: string): string {
  if (!/^\t/m.test(text) || /^ +[^\s#]/m.test(text)) return text
  return text.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))
}

function fromValue(value: unknown): ParsedText {
  return isObject(value)
    ? { ok: true, value }
    : { ok: false, why: 'it is a text or a list, not an object with members' }
}

function whyMarkup(text: string): string {
  if (!/<html|<!doctype html/i.test(text.slice(0, 2_000))) return 'it is XML'
  const isViewer = /swagger-ui|redoc|rapidoc|scalar|stoplight/i.test(text)
  return isViewer
    ? 'it is a web page that shows a document; give the address of the document itself (often /openapi.json or /v3/api-docs)'
    : 'it is a web page (HTML), not an OpenAPI document'
}
