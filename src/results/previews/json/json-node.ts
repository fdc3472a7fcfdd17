/** A value as it is in the source: numbers keep their digits, and a key may occur twice. */
export type JsonNode = JsonLeaf | JsonContainer

export interface JsonLeaf {
  type: 'leaf' | 'string'
  start: number
  end: number
}

export interface JsonContainer {
  type: 'array' | 'object'
  start: number
  end: number
  /** The first of them; `count` says how many there are. */
  children: { key: string; node: JsonNode }[]
  count: number
  /** Too deep to be parsed: the count is unknown. */
  isClosed: boolean
  /** The text ends inside it. */
  isCut: boolean
}

export function isContainer(node: JsonNode): node is JsonContainer {
  return node.type === 'array' || node.type === 'object'
}
