// Opens new files at the same moments as other processes do.
import { sqliteStore } from '../../../lib/index.js'

const [, , folder, startAt, files] = process.argv
for (let n = 0; n < Number(files); n++) {
  await new Promise((resolve) => setTimeout(resolve, Number(startAt) + n * 40 - Date.now()))
  const store = sqliteStore({ path: `${folder}/${n}.db` })
  await store.open()
  store.write({ documents: [{ tenant: 't', kind: 'k', id: String(process.pid), updatedAt: 0, value: n }] })
  await store.close()
}
