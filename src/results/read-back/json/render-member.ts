import type { Member } from '../page.js'

/** A member of an array or object on a page: its value, or a description. */
export function renderMember(member: Member): string {
  const name = typeof member.name === 'string' ? JSON.stringify(member.name) : String(member.name)
  const repeated = member.isRepeated ? ' (occurs again later: the last one counts)' : ''
  return `${name}: ${member.text ?? describe(member)}${repeated}`
}

function describe({ type, count, sizeBytes }: Member): string {
  switch (type) {
    case 'array':
      return `array of ${count} items, ${sizeBytes} bytes`
    case 'object':
      return `object of ${count} members, ${sizeBytes} bytes`
    default:
      return `${type}, ${sizeBytes} bytes`
  }
}
