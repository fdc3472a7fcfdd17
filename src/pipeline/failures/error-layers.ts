import { readMember } from './read-member.js'

/** Causes that form a cycle, or that are nested too deeply, are not followed to the end. */
const MAX_LAYERS = 16

/** An error, its causes, and the errors that it aggregates. The outermost comes first. */
export function errorLayers(thrown: unknown): unknown[] {
  const layers = [thrown]
  for (let index = 0; index < layers.length; index++) {
    const errors = readMember(layers[index], 'errors')
    const inner: unknown[] = [readMember(layers[index], 'cause'), ...(Array.isArray(errors) ? errors : [])]
    for (const each of inner) {
      if (layers.length >= MAX_LAYERS) return layers
      if (typeof each === 'object' && each !== null && !layers.includes(each)) layers.push(each)
    }
  }
  return layers
}
