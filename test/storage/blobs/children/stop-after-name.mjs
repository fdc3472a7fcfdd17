// Stores one blob and dies in the middle of its commit, after the rename and before it resolves.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const link = fs.promises.link
fs.promises.link = async (from, to) => {
  await link(from, to)
  process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()

const { fileBlobs } = await import('../../../../lib/blobs.js')
const [, , path, text] = process.argv
const store = fileBlobs({ path })
await store.open()
const writer = await store.create('t')
await writer.write(Buffer.from(text))
await writer.commit()
console.log('not reached')
