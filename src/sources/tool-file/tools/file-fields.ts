import type { DraftInput } from '../../../catalog/tool-draft.js'
import { mediaClass, toolOutput, type ContentBlock, type ToolOutput } from '../../../catalog/tool-output.js'
import { isObject } from '../../../platform/json/is-object.js'
import { cleanLine } from '../../../platform/text/clean-text.js'
import type { CompiledTool, FileField } from '../compiled.js'

type Values = Readonly<Record<string, unknown>>

/**
 * How refs in file fields are used: an inline file takes the bytes of a stored result. A file by address is loaded by
 * the service, so that rules check the address and no ref can stand for it.
 */
export function fileInput({ fileFields }: CompiledTool): Pick<DraftInput, 'urlFields'> & Partial<DraftInput> {
  // A list adds no step to a path.
  const dotted = ({ path }: FileField, member: string): string =>
    [...path.filter((step) => step !== '*'), member].join('.')
  const inline = fileFields.input.filter(({ transfer }) => transfer === 'inline')
  const byAddress = fileFields.input.filter(({ transfer }) => transfer === 'ref')
  return {
    urlFields: byAddress.map((field) => dotted(field, 'url')),
    ...(inline.length > 0 && {
      refs: Object.fromEntries(inline.map((field) => [dotted(field, 'content'), 'base64' as const])),
    }),
  }
}

/** Why the files of an input cannot be sent, as a sentence; undefined where they can. */
export function checkFiles({ fileFields }: CompiledTool, input: Values): string | undefined {
  for (const field of fileFields.input)
    for (const file of filesAt(input, field.path)) {
      const why = whyUnsendable(file, field)
      if (why !== undefined) return `The file "${field.path.join('.')}" ${why}.`
    }
  return undefined
}

function whyUnsendable({ content }: Values, { transfer, maxSizeBytes }: FileField): string | undefined {
  if (transfer === 'ref' || typeof content !== 'string') return undefined
  if (!isBase64(content)) return 'must have its bytes as Base64 in "content", or a ref to a stored result'
  const bytes = sizeOf(content)
  return maxSizeBytes !== undefined && bytes > maxSizeBytes
    ? `has ${bytes} bytes, and at most ${maxSizeBytes} are allowed`
    : undefined
}

/**
 * Shows the files of an output as what they are: bytes as media beside the data, addresses as links. The model gets no
 * Base64.
 */
export function showFiles(output: ToolOutput, { fileFields }: CompiledTool): ToolOutput {
  const { structured } = output
  if (fileFields.output.length === 0 || !isObject(structured) || output.failure !== undefined) return output
  const blocks = fileFields.output.flatMap((field) =>
    filesAt(structured, field.path).flatMap((file) => blockOf(file, field)),
  )
  const shown = fileFields.output.reduce<unknown>(
    (value, { path, maxSizeBytes }) => replaceFiles(value, { path, maxSizeBytes }),
    structured,
  )
  return toolOutput({ ...output, content: [{ type: 'text', text: JSON.stringify(shown) }, ...blocks] })
}

function blockOf(file: Values, { transfer, maxSizeBytes }: FileField): ContentBlock[] {
  const { content, url, filename, mime_type: mediaType } = file
  const name = typeof filename === 'string' ? { name: cleanLine(filename, 200) } : {}
  const type = typeof mediaType === 'string' ? mediaType.toLowerCase() : 'application/octet-stream'
  if (transfer === 'ref')
    return typeof url === 'string' && URL.canParse(url)
      ? [{ type: 'resource_link', uri: url, media_type: type, ...name }]
      : []
  if (typeof content !== 'string' || !isBase64(content)) return []
  const size = sizeOf(content)
  if (maxSizeBytes !== undefined && size > maxSizeBytes) return []
  return [{ type: mediaClass(type), data: content, media_type: type, size_bytes: size, ...name }]
}

/** The objects that a path leads to. */
function filesAt(value: unknown, [step, ...path]: readonly string[]): Values[] {
  if (step === undefined) return isObject(value) ? [value] : []
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => filesAt(item, path)) : []
  return isObject(value) && Object.hasOwn(value, step) ? filesAt(value[step], path) : []
}

/** A copy in which the bytes of files are counted and not shown. */
function replaceFiles(
  value: unknown,
  { path, maxSizeBytes }: Pick<FileField, 'path' | 'maxSizeBytes'>,
): unknown {
  const [step, ...rest] = path
  const inner = { path: rest, maxSizeBytes }
  if (step === undefined) {
    if (!isObject(value) || typeof value['content'] !== 'string') return value
    const size = sizeOf(value['content'])
    const isShown = maxSizeBytes === undefined || size <= maxSizeBytes
    const where = isShown ? 'beside this text' : `not shown, since at most ${maxSizeBytes} are expected`
    return { ...value, content: `(${size} bytes, ${where})` }
  }
  if (step === '*') return Array.isArray(value) ? value.map((item) => replaceFiles(item, inner)) : value
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  return { ...value, [step]: replaceFiles(value[step], inner) }
}

const isBase64 = (text: string): boolean =>
  /^[\w+/-]*={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1

const sizeOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
