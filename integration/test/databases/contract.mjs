import { test } from 'node:test'
import { createCrib, memoryStore } from '../../build/index.js'
import { createLiveSecrets } from '../../build/redaction/live-secrets.js'
import { createFolderTools } from '../../build/sources/tool-file/tools/folder-tools.js'
import { transportCases } from '../../../test/sources/tool-file/transport-cases.mjs'
import { fromVariable, object, TEXT } from './open-tool.mjs'

const library = { createCrib, memoryStore, createFolderTools, createLiveSecrets }

/** The cases that every transport runs. Calls are counted by what the server runs. */
export function databaseContract({ engine, connection, sql, refusal, running, connections, before }) {
  let calls = 0
  let aborted = 0
  let runs = 0
  const look = async () => {
    const now = await running()
    if (now > runs) calls += now - runs
    else aborted += runs - now
    runs = now
  }
  const peer = {
    tool: (does) => ({
      sql: sql[does],
      ...(does === 'large' && { output: object({ text: TEXT }) }),
      transport: { type: 'database', engine, query_method: 'parameterised-sql', credentials: fromVariable },
    }),
    env: { DB: JSON.stringify(connection) },
    answer: (text) => ({ text }),
    echoed: 'say it',
    refusal,
    hosts: [],
    secrets: [connection.password],
    calls: async () => (await look(), calls),
    aborted: async () => (await look(), aborted),
    connections,
  }
  const leftOut = { hosts: 'the host is in a secret' }
  for (const { name, title, run } of transportCases)
    test(`the transport ${engine} ${title}`, { skip: leftOut[name] }, async () => {
      await before()
      await run(peer, library)
    })
}
