import { parse, type Word } from 'unbash'

/** Words given as texts with their quotes, as the parser reads them. */
export function parseWords(texts: readonly string[]): Word[] {
  return texts.flatMap((text) => {
    const [statement] = parse(`: ${text}`).commands
    const command = statement?.command
    if (command?.type !== 'Command') return []
    return command.suffix.flatMap((each) => (each.type === 'Word' ? [each] : []))
  })
}
