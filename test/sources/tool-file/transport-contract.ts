import { afterAll, beforeAll, describe, it } from 'vitest'
import { createCrib, memoryStore } from '../../../src/index.js'
import { createLiveSecrets } from '../../../src/redaction/live-secrets.js'
import { createFolderTools } from '../../../src/sources/tool-file/tools/folder-tools.js'
import { transportCases, type TransportPeer } from './transport-cases.mjs'

export type { Behaviour, TransportPeer } from './transport-cases.mjs'

/** Cases that a transport cannot have, by name, each with its reason. */
export type LeftOut = Readonly<Partial<Record<string, string>>>

const library = { createCrib, memoryStore, createFolderTools, createLiveSecrets }

/** What every transport of tool files does. `start` starts a real service on this machine. */
export function transportContract(
  name: string,
  start: () => Promise<TransportPeer>,
  leftOut: LeftOut = {},
): void {
  describe(`the transport ${name}`, () => {
    let peer: TransportPeer
    beforeAll(async () => {
      peer = await start()
    })
    afterAll(() => peer.stop())

    for (const each of transportCases) {
      const why = leftOut[each.name]
      if (why === undefined) it(each.title, () => each.run(peer, library), 30_000)
      else it.skip(`${each.title} (left out: ${why})`)
    }
  })
}
