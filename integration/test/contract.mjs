import { test } from 'node:test'
import { createCrib, memoryStore } from '../build/index.js'
import { createLiveSecrets } from '../build/redaction/live-secrets.js'
import { createFolderTools } from '../build/sources/tool-file/tools/folder-tools.js'
import { transportCases } from '../../test/sources/tool-file/transport-cases.mjs'

const library = { createCrib, memoryStore, createFolderTools, createLiveSecrets }

/** The cases that every transport runs. `leftOut`: cases that it cannot have, by name, each with its reason. */
export function transportContract(transport, peer, leftOut = {}) {
  for (const { name, title, run } of transportCases)
    test(`the transport ${transport} ${title}`, { skip: leftOut[name] }, () => run(peer, library))
}
