import { createCatalog, type Catalog } from '../../catalog/catalog.js'
import { currentDeclaration } from '../../catalog/records/tool-records.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { StreamEntry } from '../../storage/journal/journal.js'
import type { CribModule } from '../assemble.js'
import type { Crib } from '../crib.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { OwnerPort } from '../recovery/owner-module.js'
import { createAgents, type Agents, type AgentStatus } from './agents.js'
import { createCatalogWriter, type CatalogWriter } from './catalog-writer.js'
import { createPublisher } from './publish-catalog.js'
import { toolVersions } from './tool-versions.js'

export interface CatalogPort {
  readonly catalog: Catalog
  readonly writer: CatalogWriter
  /** What sources say of agents. */
  readonly agents: Agents
  /** The stream of events about tools and sources. */
  readonly catalogStream: StreamEntry
}

type CatalogApi = Pick<
  Crib,
  'add' | 'retire' | 'tools' | 'tool' | 'declaration' | 'toolVersions' | 'namespaces' | 'agents'
>

/** The tools of the crib, and the record of their changes. */
export async function openCatalog({
  options,
  tenant,
  ownerId,
  journal,
  keepDefinition,
  redactor,
  now,
}: OptionsPort & RecordPort & OwnerPort): Promise<CribModule<CatalogPort, CatalogApi>> {
  const catalog = createCatalog({ retries: options.retries, persistence: options.results?.persistence })
  const catalogStream = { tenant, stream: `catalog_${ownerId}`, sequence: 0 }
  const publisher = await createPublisher({ journal, catalog, stream: catalogStream, now, keepDefinition })
  const writer = createCatalogWriter(catalog, publisher)
  const agents = createAgents((status) => options.onAgent?.(cleanAgent(status, redactor)))
  return {
    port: { catalog, writer, agents, catalogStream },
    api: {
      add: writer.add,
      retire: (name) => writer.retire(name, now()),
      tools: () => catalog.list(),
      tool: catalog.find,
      declaration(name) {
        const tool = catalog.find(name)
        return tool && redactor.value(currentDeclaration(tool))
      },
      toolVersions: (name) => toolVersions(name, { journal, catalog, publisher, redactor }),
      namespaces: () => catalog.namespaces(),
      agents: () => agents.list().map((status) => cleanAgent(status, redactor)),
    },
    start: () => writer.add(options.tools ?? []),
  }
}

/** A problem may quote the file of the agent. */
function cleanAgent(status: AgentStatus, redactor: Redactor): AgentStatus {
  return status.problem === undefined ? status : { ...status, problem: redactor.text(status.problem) }
}
