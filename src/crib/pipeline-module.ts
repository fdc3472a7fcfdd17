import { homedir } from 'node:os'
import { runsTools } from '../platform/processes/started-processes.js'
import type { PipelinePorts } from '../pipeline/ports.js'
import { createDeadlines } from '../pipeline/execute/deadlines.js'
import { declaredHook, hookRef } from '../pipeline/hooks/hook-record.js'
import { orderHooks } from '../hooks/order-hooks.js'
import { classifierRef, describeClassifier } from '../policy/deciders/classifier.js'
import { withDecider } from '../policy/deciders/with-decider.js'
import { withOutside } from '../policy/deciders/with-outside.js'
import { createCatalogTool } from '../catalog/catalog-tool.js'
import { mayWithhold } from '../pipeline/persist-result/may-withhold.js'
import type { QuestionsPort } from './approvals/questions-module.js'
import type { ClosingPort, CribModule } from './assemble.js'
import type { CatalogPort } from './catalog/catalog-module.js'
import type { Crib } from './crib.js'
import type { DiscoveryPort } from './discovery/discovery-module.js'
import { folderFacts } from './files/folder-facts.js'
import { listFolder } from './files/list-folder.js'
import { keepTool } from './catalog/publish-catalog.js'
import type { PolicyPort } from './policy/policy-module.js'
import type { OptionsPort, RecordPort } from './record-module.js'
import { resultPolicyOf } from './results/result-options.js'
import { resultReadTool } from './results/result-read-tool.js'
import type { ResultsPort } from './results/results-module.js'
import type { SchedulingPort } from './scheduling-module.js'

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_CANCEL_GRACE_MS = 2_000
const DEFAULT_PROGRESS_PER_SECOND = 10

type StartInnerCall = PipelinePorts['startInnerCall']

export interface PipelinePort {
  readonly pipeline: PipelinePorts
  /** Calls that executors make are started by a later module. */
  connectInnerCalls(start: StartInnerCall): void
}

/** What all calls share: the ports of the modules above, and the options of calls. */
export function openPipeline(
  ports: OptionsPort &
    ClosingPort &
    RecordPort &
    CatalogPort &
    SchedulingPort &
    PolicyPort &
    QuestionsPort &
    ResultsPort &
    DiscoveryPort,
): CribModule<PipelinePort, Pick<Crib, 'mayWithhold'>> {
  const { options, catalog, journal, policy, keepDefinition, redactors, approvals, denies } = ports
  const hooks = orderHooks(options.hooks ?? [])
  for (const hook of hooks) keepDefinition(hookRef(hook), () => declaredHook(hook))
  for (const classifier of options.permission?.classifiers ?? [])
    keepDefinition(classifierRef(classifier), () => describeClassifier(classifier))
  const judge = withDecider(policy, options.decider, { isAlone: options.permission === undefined })
  // Independent of any surface: rules may deny this tool even if no surface offers it.
  const reader = createCatalogTool('toolcrib', resultReadTool)
  let startInnerCall: StartInnerCall | undefined
  // Written out, without spreads: the ports of all cribs then have one hidden class, and are read at full speed.
  const pipeline: PipelinePorts = {
    catalog,
    journal,
    policy,
    workspace: ports.workspace,
    closing: ports.closing,
    isClosing: ports.isClosing,
    scheduling: ports.scheduler,
    payloads: ports.payloads,
    artifacts: ports.artifacts,
    refs: ports.refs,
    discovery: ports.discovery,
    explain: ports.explain,
    keepDefinition,
    approvals,
    now: ports.now,
    resultReader() {
      const offered = catalog.get(reader.toolId)
      return offered?.source === reader.source ? offered : reader
    },
    mayReadResults: (request) => denies(reader, request) === undefined,
    decider: withOutside(judge, options.permission ?? {}),
    approver: options.approver,
    responder: options.responder,
    hooks,
    // Other stores have the definition since the tool came into the catalog.
    onFirstCall: journal.store.isEphemeral ? (tool) => keepTool(keepDefinition, tool) : undefined,
    onToolCode: runsTools,
    marksCalls: options.approver !== undefined || approvals.hasReviewers,
    home: homedir(),
    hideSecret: ports.hideSecret,
    followLinks: ports.disk.followLinks,
    exists: ports.disk.exists,
    listFolder,
    folders: folderFacts,
    startInnerCall: (request) => startInnerCall!(request),
    deadlines: createDeadlines(),
    random: options.random ?? Math.random,
    defaultRetries: options.retries,
    defaultTimeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    results: resultPolicyOf(options.results ?? {}),
    redactor: redactors.usual,
    redactorFor: redactors.for,
    exactRedactor: redactors.exact,
    keyedRedactor: redactors.keyed,
    liveSecrets: redactors.live,
    redactionWay: redactors.way,
    protectedReaders: options.redaction?.readers ?? [],
    maxProgressPerSecond: options.maxProgressPerSecond ?? DEFAULT_PROGRESS_PER_SECOND,
    cancelGraceMs: options.cancelGraceMs ?? DEFAULT_CANCEL_GRACE_MS,
  }
  return {
    port: { pipeline, connectInnerCalls: (start) => void (startInnerCall = start) },
    api: { mayWithhold: (tool, request) => mayWithhold(tool, request, pipeline) },
  }
}
