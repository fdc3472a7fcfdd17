import type { PlacedMember } from './list-members.js'
import type { Member, ReadLimits } from '../page.js'
import type { PayloadSource } from '../payload-source.js'
import { textChars } from '../read-bytes.js'
import { readRange, type Range } from '../read-chunks.js'
import { renderMember } from './render-member.js'

/** Limit for the text of a number, a literal or a short string in an outline. */
const OUTLINE_TEXT_BYTES = 80
/** Neighbours are read together, with the bytes between them. */
const MAX_GAP_BYTES = 1024

/** The members that fit the page, each with its text where there is space. */
export async function fillMembers(
  source: PayloadSource,
  { listed, isOutline }: { listed: readonly PlacedMember[]; isOutline: boolean },
  limits: ReadLimits,
): Promise<Member[]> {
  const room = textChars(limits)
  // A member that would take more than half of a page is only described; it is read by its own pointer.
  const longest = isOutline ? OUTLINE_TEXT_BYTES : Math.floor(room / 2)
  const isShown = (member: PlacedMember) =>
    member.sizeBytes <= longest && (!isOutline || (member.type !== 'object' && member.type !== 'array'))
  const fitting = listed.slice(0, fittingCount(listed, { isShown, room }))
  const texts = await readTexts(source, fitting.filter(isShown), limits)
  const members: Member[] = []
  let chars = 0
  for (const { start, ...member } of fitting) {
    const filled = { ...member, text: texts.get(start) }
    chars += renderMember(filled).length + 1
    if (chars > room && members.length > 0) break
    members.push(filled)
  }
  return members
}

/** Counted in bytes: never fewer than the characters, and known before anything is read. */
function fittingCount(
  listed: readonly PlacedMember[],
  { isShown, room }: { isShown: (member: PlacedMember) => boolean; room: number },
): number {
  let bytes = 0
  for (const [index, member] of listed.entries()) {
    bytes += isShown(member) ? member.sizeBytes : 0
    // A character has at most three bytes: everything beyond this cannot be on the page.
    if (bytes > room * 3) return index
  }
  return listed.length
}

/** By the offset of each value. */
async function readTexts(
  source: PayloadSource,
  members: readonly PlacedMember[],
  { signal }: ReadLimits,
): Promise<Map<number, string>> {
  const runs: { range: Range; members: PlacedMember[] }[] = []
  for (const member of members) {
    const end = member.start + member.sizeBytes
    const run = runs.at(-1)
    if (run && member.start - run.range.end <= MAX_GAP_BYTES) {
      run.range.end = end
      run.members.push(member)
    } else runs.push({ range: { start: member.start, end }, members: [member] })
  }
  const texts = new Map<number, string>()
  for (const run of runs) {
    const bytes = await readRange(source, run.range, signal)
    for (const { start, sizeBytes } of run.members) {
      const from = start - run.range.start
      texts.set(start, bytes.toString('utf8', from, from + sizeBytes))
    }
  }
  return texts
}
