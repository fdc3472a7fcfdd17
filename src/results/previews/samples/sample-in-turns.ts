import { createTurns } from '../../../platform/async/create-turns.js'
import { createSampler } from './create-sampler.js'
import type { Sample } from './sample.js'

const PART_CHARS = 64 * 1024

/** The sample of a text that may be long: yields in between. */
export async function sampleInTurns(text: string): Promise<Sample> {
  const sampler = createSampler()
  const turns = createTurns()
  for (let from = 0; from < text.length; from += PART_CHARS) {
    sampler.push(text.slice(from, from + PART_CHARS))
    await turns.due()
  }
  return sampler.end()
}
