/** What a model reads of a result of MCP. */
export function textOf({ content = [], isError = false }) {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
  return { text, isError }
}
