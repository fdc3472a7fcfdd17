import { useState, type ReactNode } from 'react'
import { Icon } from './icon.js'
import { Text } from './text.js'

interface JsonProps {
  readonly value: unknown
  readonly label: string
  /** How many levels are open at first. */
  readonly depth?: number
}

const SHOWN_CHARS = 2_000
const SHOWN_MEMBERS = 100

/** A JSON value as a tree. Objects and lists fold; what is long is cut, with a button for the rest. */
export function Json({ value, label, depth = 2 }: JsonProps): ReactNode {
  return (
    <div className="json" role="group" aria-label={label} tabIndex={0}>
      <Node value={value} depth={depth} />
    </div>
  )
}

interface NodeProps {
  readonly value: unknown
  readonly depth: number
  readonly name?: string | undefined
}

function Node({ value, depth, name }: NodeProps): ReactNode {
  if (typeof value === 'object' && value !== null) return <Branch value={value} depth={depth} name={name} />
  return (
    <div className="json-leaf">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  )
}

function Branch({ value, depth, name }: NodeProps & { readonly value: object }): ReactNode {
  const [isOpen, setOpen] = useState(depth > 0)
  const [isWhole, setWhole] = useState(false)
  const isList = Array.isArray(value)
  const members = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0)
    return (
      <div className="json-leaf">
        <Name name={name} />
        {open + close}
      </div>
    )
  const shown = isWhole ? members : members.slice(0, SHOWN_MEMBERS)
  return (
    <div className="json-branch">
      <button type="button" className="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} />
        <Name name={name} />
        {isOpen ? open : `${open} ${countWords(members.length, isList)} ${close}`}
      </button>
      {isOpen && (
        <div className="json-members">
          {shown.map(([key, member]) => (
            <Node key={key} value={member} depth={depth - 1} name={isList ? undefined : key} />
          ))}
          {shown.length < members.length && (
            <button type="button" className="link-button" onClick={() => setWhole(true)}>
              Show all {members.length.toLocaleString()}
            </button>
          )}
        </div>
      )}
      {isOpen && <div className="json-close">{close}</div>}
    </div>
  )
}

function Name({ name }: { readonly name: string | undefined }): ReactNode {
  if (name === undefined) return null
  return (
    <>
      <span className="json-name">
        <Text>{name}</Text>
      </span>
      {': '}
    </>
  )
}

function Leaf({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value === 'string') return <StringLeaf value={value} />
  return <span className="json-atom">{value === undefined ? 'undefined' : JSON.stringify(value)}</span>
}

function StringLeaf({ value }: { readonly value: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && value.length > SHOWN_CHARS
  const shown = isCut ? value.slice(0, SHOWN_CHARS) : value
  return (
    <>
      <span className="json-string">
        &quot;
        <Text>{shown}</Text>
        {isCut ? '…' : '"'}
      </span>
      {isCut && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString()} characters
        </button>
      )}
    </>
  )
}

function countWords(count: number, isList: boolean): string {
  const noun = isList ? (count === 1 ? 'item' : 'items') : count === 1 ? 'field' : 'fields'
  return `${count.toLocaleString()} ${noun}`
}
