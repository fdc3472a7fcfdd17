// Opens the API of a document at an address, calls it, closes the crib, and must then end by itself.
import { createCrib, memoryStore } from 'toolcrib'
import { openapiSource } from 'toolcrib/openapi'

const [, , document, cacheFolder] = process.argv
const source = openapiSource({ name: 'shop', document, cacheFolder, pollMs: 60_000 })
const crib = await createCrib({
  store: memoryStore(),
  sources: [source],
  decider: () => ({ behavior: 'allow' }),
})
const { status } = await crib.call(await crib.surface(), { name: 'api.shop.getPet', input: {} })
await crib.close()
console.log(status)
