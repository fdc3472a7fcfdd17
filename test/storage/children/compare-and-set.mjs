// Tries, in each round, to raise a document from the revision that the round starts at.
import { sqliteStore } from '../../../lib/index.js'

const [, , path, name, rounds] = process.argv
const store = sqliteStore({ path })
await store.open()
const wins = []
for (let round = 0; round < Number(rounds); round++) {
  const write = { tenant: 't', kind: 'k', id: 'd', updatedAt: 0, value: name, expectedRevision: round }
  const { conflictingDocuments } = store.write({ documents: [write] })
  if (conflictingDocuments.length === 0) wins.push(round)
  // The loser of a round goes on only when the winner has written.
  await new Promise(setImmediate)
}
await store.close()
console.log(JSON.stringify(wins))
