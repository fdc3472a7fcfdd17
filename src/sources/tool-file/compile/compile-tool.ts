import { amlTransports } from '../../../credentials/scheme-of-transport.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { sha256 } from '../../../platform/json/sha256.js'
import { withoutUndefined } from '../../../platform/json/without-undefined.js'
import {
  toolStatuses,
  toolTypes,
  type CompiledTool,
  type FileProblem,
  type ToolMeta,
  type ToolStatus,
} from '../compiled.js'
import { decode, type ReadFile } from '../read/decode.js'
import { quote, replace, replaceText } from '../read/edits.js'
import { parseFrontMatter } from '../read/parse-front-matter.js'
import type { Yaml } from '../../../platform/config/yaml-error-start.js'
import type { Location } from '../read/source-text.js'
import { checkAvro } from './check-avro.js'
import { checkSql } from './check-sql.js'
import { compileErrorCodes, compileGuidance } from './compile-guidance.js'
import { compileInterface } from './compile-interface.js'
import {
  choiceField,
  given,
  objectField,
  reportMissing,
  reportUnknown,
  textField,
  textsField,
  type Fields,
} from './fields.js'
import { lintTool } from './lint-tool.js'
import { metaFields, reportMisplaced } from './report-misplaced.js'
import { compileTransport } from './transport/compile-transport.js'

/** The texts of a tool: its file and those beside it. */
export interface ToolTexts extends ReadFile {
  readonly sql?: ReadFile | undefined
  readonly avro?: ReadFile | undefined
}

/** What one tool file compiles to. Plain JSON. */
export interface ToolResult {
  readonly file: string
  /** Also of a file with problems, as far as it can be read. */
  readonly toolId?: string | undefined
  readonly status?: ToolStatus | undefined
  readonly idAt?: Location | undefined
  readonly versionAt?: Location | undefined
  /** Of what the tool means, without its id and version: layout, comments and the Markdown body do not count. */
  readonly contentDigest?: string | undefined
  /** Absent where there are errors. */
  readonly tool?: CompiledTool | undefined
  readonly problems: readonly FileProblem[]
}

export const ID_PATTERN = '^[a-z0-9_-]{3,64}$'
const SPEC_VERSION = '1.2'
/** The expression that semver.org gives. */
export const VERSION_PATTERN = String.raw`^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`

export const toolFields = [
  'spec_version',
  'tool_id',
  'version',
  'status',
  'meta',
  'type',
  'interface',
  'error_codes',
  'transport',
  'use_guidance',
] as const

/** Compiles one tool file. */
export function compileTool(texts: ToolTexts, yaml: Yaml): ToolResult {
  const report = decode(texts)
  const matter = parseFrontMatter(report, yaml)
  if (!matter) return { file: texts.file, problems: report.problems }
  const root: Fields = { node: matter.root, at: matter.opening, path: '', report }
  if (reportMisplaced(root, toolFields)) return { file: texts.file, problems: report.problems }
  reportUnknown(root, toolFields)
  const specVersion = compileSpecVersion(root)
  const id = compileId(root, { name: 'tool_id', wrong: 'aml/invalid-tool-id', ending: '.tool.md' })
  const version = compileVersion(root)
  const status = choiceField(root, 'status', {
    of: toolStatuses,
    missing: 'aml/missing-field',
    wrong: 'aml/invalid-status',
  })
  const meta = compileMeta(root)
  const type = choiceField(root, 'type', {
    of: toolTypes,
    missing: 'aml/missing-field',
    wrong: 'aml/invalid-type',
    elsewhere: (word) =>
      amlTransports.some((each) => each === word)
        ? `${String(word)} belongs into "transport.type".`
        : undefined,
  })
  const { input, output } = compileInterface(root)
  const errorCodes = compileErrorCodes(root)
  const guidance = compileGuidance(root)
  const transport = compileTransportOf(root, type?.value)
  const beside = {
    sql: checkSql(texts.sql, { root, transport, type: type?.value, input: input?.node }),
    avro: checkAvro(texts.avro, { root, transport }),
  }
  lintTool(root, { type: type?.value, status: status?.value, transport, input: input?.node })

  const problems = [...report.problems, ...beside.sql.problems, ...beside.avro.problems]
  const { source } = report
  const known = {
    file: texts.file,
    ...(id && { toolId: id.value, idAt: source.locate(id.node) }),
    ...(status && { status: status.value }),
    ...(version && { versionAt: source.locate(version.node) }),
    problems,
  }
  if (problems.some(({ level }) => level === 'error')) return known
  if (!specVersion || !id || !version || !status || !meta || !type || !input || !output || !guidance)
    return known
  const tool: CompiledTool = withoutUndefined({
    file: texts.file,
    specVersion,
    toolId: id.value,
    version: version.value,
    status: status.value,
    type: type.value,
    meta,
    input: input.schema,
    output: output.schema,
    fileFields: { input: input.files, output: output.files },
    guidance,
    errorCodes,
    transport,
    sql: beside.sql.sql,
    avro: beside.avro.avro,
    digest: digestOf(texts),
  })
  return { ...known, tool, contentDigest: contentDigest(tool) }
}

function contentDigest({
  file: _file,
  toolId: _id,
  version: _version,
  digest: _digest,
  ...content
}: CompiledTool): string {
  return sha256(canonicalJson(content))
}

function digestOf({ bytes, sql, avro }: ToolTexts): string {
  const text = (part: Uint8Array | undefined): string => (part ? Buffer.from(part).toString('base64') : '-')
  return sha256([bytes, sql?.bytes, avro?.bytes].map(text).join('\n'))
}

export function compileSpecVersion(root: Fields): string | undefined {
  const member = given(root, 'spec_version')
  if (!member) {
    reportMissing(root, 'spec_version', { hint: ' with the value "1.2"' })
    return undefined
  }
  const { node } = member
  if (node.value === SPEC_VERSION) return SPEC_VERSION
  const isNumber = node.value === Number(SPEC_VERSION)
  root.report.add(
    'aml/unsupported-spec-version',
    node,
    isNumber
      ? 'Put "spec_version" in quotes: "1.2".'
      : '"spec_version" must be "1.2"; no other version is supported.',
    isNumber ? quote(node, root.report.source) : undefined,
  )
  return undefined
}

/** The id of a tool or an agent, which is the name of its file too. */
export function compileId(
  root: Fields,
  {
    name,
    wrong,
    ending,
  }: { name: string; wrong: 'aml/invalid-tool-id' | 'aml/invalid-agent-id'; ending: string },
): ReturnType<typeof textField> {
  const id = textField(root, name, { missing: 'aml/missing-field' })
  if (!id) return undefined
  const pattern = new RegExp(ID_PATTERN)
  if (!pattern.test(id.value)) {
    const mended = id.value
      .trim()
      .toLowerCase()
      .replaceAll(/[\s.]+/g, '-')
    root.report.add(
      wrong,
      id.node,
      `"${name}" must have 3 to 64 lower-case letters, digits, hyphens and underscores.`,
      pattern.test(mended) ? replaceText(id.node, mended) : undefined,
    )
    return undefined
  }
  const file = root.report.source.file.split('/').at(-1)!
  if (file !== `${id.value}${ending}`)
    root.report.add(
      'aml/file-name',
      id.node,
      `The "${name}" is ${id.value}, so name the file ${id.value}${ending}, or change the id.`,
    )
  return id
}

function compileVersion(root: Fields): ReturnType<typeof textField> {
  const member = given(root, 'version')
  if (!member) {
    reportMissing(root, 'version', { hint: ', such as "1.0.0"' })
    return undefined
  }
  const { node } = member
  if (typeof node.value === 'string' && new RegExp(VERSION_PATTERN).test(node.value))
    return { ...member, value: node.value }
  const written =
    typeof node.value === 'string' ? node.value : root.report.source.text.slice(node.start, node.end)
  const [, numbers] = /^\s*v?(\d+(?:\.\d+){0,2})\s*$/i.exec(written) ?? []
  const mended = numbers && [...numbers.split('.'), '0', '0'].slice(0, 3).join('.')
  const isClear = mended !== undefined && new RegExp(VERSION_PATTERN).test(mended) && node.style !== 'block'
  root.report.add(
    'aml/invalid-version',
    node,
    '"version" must be a semantic version in quotes, such as "1.0.0".',
    isClear ? replace(node, JSON.stringify(mended), `Change it to "${mended}"`) : undefined,
  )
  return undefined
}

function compileMeta(root: Fields): ToolMeta | undefined {
  const fields = objectField(root, 'meta', {
    missing: 'aml/missing-field',
    hint: ' with name, description and owner',
  })
  if (!fields) return undefined
  reportUnknown(fields, metaFields)
  const missing = 'aml/missing-field'
  const name = textField(fields, 'name', { missing })
  const description = textField(fields, 'description', { missing })
  const owner = textField(fields, 'owner', { missing })
  const tags = textsField(fields, 'tags')
  const updated = textField(fields, 'last_updated')
  if (updated && !isDate(updated.value))
    root.report.add(
      'aml/invalid-date',
      updated.node,
      '"meta.last_updated" must be a date such as "2025-04-01".',
    )
  if (!name || !description || !owner) return undefined
  return {
    name: name.value,
    description: description.value,
    owner: owner.value,
    tags: tags?.value ?? [],
    ...(updated && { last_updated: updated.value }),
  }
}

/** A date of ISO 8601, with or without a time. */
function isDate(text: string): boolean {
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  if (day === undefined) return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function compileTransportOf(root: Fields, type: string | undefined): CompiledTool['transport'] {
  if (!given(root, 'transport')) {
    if (type !== undefined && type !== 'function')
      reportMissing(root, 'transport', {
        code: 'aml/missing-transport',
        hint: `; a tool of type ${type} needs one`,
      })
    return undefined
  }
  const fields = objectField(root, 'transport')
  if (!fields) return undefined
  if (type === 'function')
    root.report.add(
      'aml/function-transport',
      fields.at,
      'Remove "transport"; a function runs in the process.',
    )
  return compileTransport(fields)
}
