import { readMember } from './read-member.js'

/** An error whose causes go round in a circle, or deeper than anybody means, is not followed to its end. */
const MAX_LAYERS = 16

/** An error and what it holds: its causes, and the errors that were put together in it. The outermost comes first. */
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
