import { isObject } from '../../../platform/json/is-object.js'
import { jsonMistakeAt } from '../../../platform/json/json-mistake-at.js'
import { parseJson } from '../../../platform/json/parse-json.js'
import type { CompiledTool, FileProblem } from '../compiled.js'
import { decode, type ReadFile } from '../read/decode.js'
import { FILE_START, problemAt } from '../read/report.js'
import { given, objectField, type Fields } from './fields.js'

export interface CheckedAvro {
  readonly avro?: unknown
  readonly problems: readonly FileProblem[]
}

/** The Avro schema of a tool that sends its messages in that format. */
export function checkAvro(
  file: ReadFile | undefined,
  { root, transport }: { root: Fields; transport: CompiledTool['transport'] },
): CheckedAvro {
  if (transport?.type !== 'message-queue' || transport.message_format !== 'avro') {
    if (!file || (given(root, 'transport') && !transport)) return { problems: [] }
    const message = 'No tool uses this file; its tool needs message_format: avro.'
    return { problems: [problemAt('aml/unused-avro-schema', { file: file.file, at: FILE_START, message })] }
  }
  if (!file) {
    const fields = objectField(root, 'transport')!
    const id = given(root, 'tool_id')?.node.value
    root.report.add(
      'aml/missing-avro-schema',
      given(fields, 'message_format')?.node ?? fields.at,
      `Write the Avro schema into ${typeof id === 'string' ? `tools/${id}` : 'tools/<tool_id>'}.avsc.`,
    )
    return { problems: [] }
  }
  const report = decode(file)
  const text = report.source.text.replace(/^\uFEFF/, '')
  const avro = parseJson(text)
  if (isRecord(avro) || isPair(avro)) return { avro, problems: report.problems }
  if (avro === undefined) {
    const at = jsonMistakeAt(text)
    report.add('aml/invalid-avro-schema', { start: at, end: at }, 'This is not valid JSON; correct it here.')
  } else
    report.add(
      'aml/invalid-avro-schema',
      { start: 0, end: 0 },
      'The schema must be an object of type record, or a list of two: that of the messages and that of the answers.',
    )
  return { problems: report.problems }
}

const isRecord = (value: unknown): boolean => isObject(value) && value['type'] === 'record'

/** The type of the messages, and that of the answers. */
const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(isRecord)
