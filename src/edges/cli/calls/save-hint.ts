import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { mediaOf } from '../terminal/content-text.js'
import { sizeText } from '../terminal/size-text.js'

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'text/plain': 'txt',
}

/** How the images and files of a result are saved, a line for each; the text is on the screen already. */
export function saveHints({ content = [], model_facing_content: shown = [] }: ToolResult): string[] {
  const blocks = content.length > 0 ? content : shown
  return blocks.flatMap((block, index) => {
    const media = mediaOf(block)
    // Bytes without a ref can be read only if they are the whole result.
    const ref = blocks.length === 1 ? 'last' : media?.ref
    if (!media || ref === undefined || (media.bytes === undefined && media.ref === undefined)) return []
    const stem = blocks.length === 1 ? media.kind : `${media.kind}-${index + 1}`
    return [`${saveHint({ ...media, stem }, ref)}`]
  })
}

/** `image/png, 12 KB; save it with: toolcrib read last --out image.png` */
export function saveHint(
  { type, bytes, stem }: { type?: string | undefined; bytes?: number | undefined; stem: string },
  ref: string,
): string {
  const facts = [type ?? 'bytes', ...(bytes === undefined ? [] : [sizeText(bytes)])].join(', ')
  return `${facts}; save it with: ${ownCommand(`read ${ref} --out ${stem}.${extensionOf(type)}`)}`
}

function extensionOf(type = ''): string {
  const [, word = ''] = /^[\w-]+\/([a-z0-9]{1,8})$/.exec(type) ?? []
  return EXTENSIONS[type] ?? (word === '' ? 'bin' : word)
}
