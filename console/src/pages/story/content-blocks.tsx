import { useState, type ReactNode } from 'react'
import type { ContentBlock, PayloadRef } from '../../api/types.js'
import { Json } from '../../ui/json.js'
import { size } from '../../ui/size.js'
import { Text } from '../../ui/text.js'
import { ContentViewer } from './content-viewer.js'
import { More } from './step-title.js'

const SHOWN_CHARS = 8_000
const TEXT_TYPES: readonly string[] = ['text', 'log', 'diff']
/** Pictures that a browser draws without running anything. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The blocks of a result. Everything is text or a picture; nothing is HTML. */
export function ContentBlocks({
  blocks,
  label,
}: {
  readonly blocks: readonly ContentBlock[]
  readonly label: string
}): ReactNode {
  if (blocks.length === 0) return <p className="muted">Nothing.</p>
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <Block key={index} block={block} label={`${label}, part ${index + 1}`} />
      ))}
    </div>
  )
}

function Block({ block, label }: { readonly block: ContentBlock; readonly label: string }): ReactNode {
  const { type, text, data, media_type: media, structured_content: structured, ref } = block
  if (TEXT_TYPES.includes(type) && text !== undefined) return <LongText text={text} label={label} />
  if (type === 'structured_content') return <Json value={structured} label={label} />
  if (data !== undefined && media !== undefined && PICTURES.includes(media))
    return (
      <img
        className="picture"
        src={`data:${media};base64,${data}`}
        alt={block.title ?? block.name ?? label}
      />
    )
  const uri = ref?.uri ?? block.uri
  const { data: _bytes, ...rest } = block
  return (
    <div className="block">
      <BlockName block={block} />
      {isStored(uri) ? (
        <More summary="Read it">
          <ContentViewer uri={uri} label={label} />
        </More>
      ) : (
        <More summary="Details">
          <Json value={rest} label={label} />
        </More>
      )}
    </div>
  )
}

function BlockName({ block }: { readonly block: ContentBlock }): ReactNode {
  const { type, name, title, uri, media_type: media, size_bytes: bytes } = block
  const words = [title ?? name, media, bytes === undefined ? undefined : size(bytes), uri]
  return (
    <p>
      <strong>{type === 'persisted_output_ref' ? 'The whole output' : type.replaceAll('_', ' ')}</strong>{' '}
      <span className="muted">
        <Text>{words.filter((word) => word !== undefined).join(', ')}</Text>
      </span>
    </p>
  )
}

/** Whether the API has it. */
export function isStored(uri: string | undefined): uri is string {
  return uri?.startsWith('toolcrib://') === true
}

/** Text in a box that scrolls; a long one is cut first. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > SHOWN_CHARS
  return (
    <div className="long-text">
      <pre className="text-box" tabIndex={0} role="group" aria-label={label}>
        <Text>{isCut ? text.slice(0, SHOWN_CHARS) : text}</Text>
        {isCut && '…'}
      </pre>
      {isCut && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </div>
  )
}

export function refWords({
  name,
  media_type: media,
  size_bytes: bytes,
  redaction_state: redaction,
}: PayloadRef): string {
  const parts = [
    name,
    media,
    bytes === undefined ? undefined : size(bytes),
    redaction === 'none' ? undefined : redaction,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
