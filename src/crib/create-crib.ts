import { openApprovals } from './approvals/approvals-module.js'
import { openQuestions } from './approvals/questions-module.js'
import { openArtifacts } from './artifacts/artifacts-module.js'
import { assemble } from './assemble.js'
import { openBatches } from './batches/batches-module.js'
import { openCalls } from './calls/calls-module.js'
import { openCatalog } from './catalog/catalog-module.js'
import { openSources } from './catalog/sources-module.js'
import { checkCribOptions } from './check-crib-options.js'
import type { Crib, CribOptions } from './crib.js'
import { openDiscovery } from './discovery/discovery-module.js'
import { openMonitor } from './monitor/monitor-module.js'
import { openPipeline } from './pipeline-module.js'
import { openPolicy } from './policy/policy-module.js'
import { openQueries } from './queries/queries-module.js'
import { openRecord } from './record-module.js'
import { openRecords } from './records/records-module.js'
import { openOwner } from './recovery/owner-module.js'
import { openBlobs } from './results/blobs-module.js'
import { openResults } from './results/results-module.js'
import { openScheduling } from './scheduling-module.js'
import { openStatistics } from './statistics/statistics-module.js'
import { openSurfaces } from './surfaces/surfaces-module.js'

const CLOSE_GRACE_MS = 5_000

/** Opens a crib: a list of modules, each of which uses those before it. They close in the opposite order. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  checkCribOptions(options)
  const { tenant = 'default', workspace = process.cwd() } = options
  const { api, close } = await assemble({ options, tenant, workspace })
    .add(openRecord) // the store: every module writes to it, so it closes last
    .add(openBlobs) // large values: the rules protect their files, the results are stored in them
    .add(openOwner) // before the first call; it resigns when no call and no lock is left
    .add(openCatalog) // the tools: limits, rules and surfaces look them up
    .add(openScheduling) // locks of this owner: released before it resigns
    .add(openPolicy) // what may run: it protects the files of the store and of the blobs
    .add(openQuestions) // approvals that calls wait for; an answer may change the rules
    .add(openQueries) // reads all of the above
    .add(openStatistics) // counts calls from the log, once somebody asks
    .add(openResults) // reads results back by refs, which queries resolve
    .add(openSources) // fills the catalog; closes after the calls, which use its connections
    .add(openDiscovery) // searches the catalog, and knows which sources still connect
    .add(openPipeline) // the ports of a call
    .add(openCalls) // runs calls; closing lets them end
    .add(openMonitor) // the open calls, for health checks, metrics and logs
    .add(openApprovals) // resumes calls of dead processes, so it stops before the calls end
    .add(openSurfaces) // what callers see
    .add(openBatches) // several calls at once
    .add(openArtifacts) // what calls delivered
    .add(openRecords) // deletes records
    .open()
  return { ...api, close: ({ graceMs = CLOSE_GRACE_MS } = {}) => close({ graceMs }) }
}
