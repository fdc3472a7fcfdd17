// Opens a folder of tool files, calls a tool, closes the crib, and must then end by itself.
import { createCrib, memoryStore } from 'toolcrib'
import { toolFileSource } from 'toolcrib/tool-files'

const [, , folder, toolId] = process.argv
const crib = await createCrib({
  store: memoryStore(),
  sources: [toolFileSource({ name: 'shop', folder })],
  decider: () => ({ behavior: 'allow' }),
})
const { status } = await crib.call(await crib.surface(), { name: `aml.shop.${toolId}`, input: {} })
await crib.close()
console.log(status)
