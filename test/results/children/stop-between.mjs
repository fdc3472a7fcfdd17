// Stops when the bytes of a result are on disk, before their record is.
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'
import { fileBlobs } from '../../../lib/blobs.js'

const [folder] = process.argv.slice(2)
const files = fileBlobs({ path: `${folder}/crib.blobs` })
const blobs = {
  ...files,
  async create(tenant) {
    const writer = await files.create(tenant)
    return {
      write: (chunk) => writer.write(chunk),
      abort: () => writer.abort(),
      async commit() {
        const stat = await writer.commit()
        console.log(JSON.stringify({ committed: stat.digest, call: call.invocationId }))
        setInterval(() => {}, 1000)
        return new Promise(() => {})
      },
    }
  },
}
const crib = await createCrib({
  store: sqliteStore({ path: `${folder}/crib.db` }),
  blobs,
  tools: [
    defineTool({
      name: 'give',
      description: 'Gives.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => 'some output\n'.repeat(10_000),
    }),
  ],
})
const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
await crib.flush()
await call
