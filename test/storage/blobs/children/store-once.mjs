// Stores one blob, and writes a marker file when the commit has resolved.
import { writeFileSync } from 'node:fs'
import { fileBlobs } from '../../../../lib/blobs.js'

const [, , path, marker] = process.argv
const store = fileBlobs({ path })
await store.open()
const writer = await store.create('An Odd Tenant')
await writer.write(Buffer.from('some text'))
const { digest } = await writer.commit()
writeFileSync(marker, '')
await store.close()
console.log(digest)
