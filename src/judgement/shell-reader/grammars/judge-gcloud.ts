import type { Argument } from '../argument.js'
import type { Prover } from '../prover.js'

const globalFlags = new Set([
  '--quiet',
  '-q',
  '--log-http',
  '--user-output-enabled',
  '--no-user-output-enabled',
])
const globalValues = new Set(
  '--project --account --format --configuration --verbosity --billing-project --impersonate-service-account'.split(
    ' ',
  ),
)

const asks =
  /^(?:list|describe|read|tail|get|get-value|get-iam-policy|get-ancestors|get-server-config|get-health|get-status|info|version|(?:list|describe|search)-[a-z-]+)$/
const option =
  /^--(?!(?:flags-file|output-file|destination|log-file|access-token-file|[a-z-]*(?:output|out)-(?:path|dir))(?:=|$))[a-z][a-z0-9-]*(?:=|$)/

// Groups that stand before what only asks. A word that is not in here could be a command of its own.
const groups = new Set(
  `alpha beta preview access-context-manager levels perimeters policies active-directory ai endpoints models
    ai-platform jobs versions alloydb anthos api-gateway apis api-configs gateways apigee app domain-mappings
    instances logs regions services ssl-certificates artifacts docker images tags files packages repositories assets
    auth batch tasks bigtable backups clusters tables app-profiles billing accounts budgets builds triggers
    worker-pools certificate-manager certificates maps entries trust-configs dns-authorizations issuance-configs
    composer environments dags compute accelerator-types addresses backend-buckets backend-services commitments
    disk-types disks external-vpn-gateways firewall-policies rules firewall-rules forwarding-rules health-checks
    http-health-checks https-health-checks image-families instance-groups managed unmanaged instance-templates
    interconnects attachments locations machine-images machine-types network-endpoint-groups networks subnets
    peerings operations org-security-policies os-config os-images packet-mirrorings project-info
    public-advertised-prefixes public-delegated-prefixes reservations resource-policies routers nats routes
    security-policies shared-vpc associated-projects sole-tenancy node-groups node-templates node-types snapshots
    ssl-policies target-grpc-proxies target-http-proxies target-https-proxies target-instances target-pools
    target-ssl-proxies target-tcp-proxies target-vpn-gateways tpus tpu-vm url-maps vpn-gateways vpn-tunnels zones
    config configurations components container node-pools hub memberships fleet data-catalog entry-groups taxonomies
    tag-templates database-migration migration-jobs connection-profiles dataflow dataplex dataproc
    autoscaling-policies batches workflow-templates datastore indexes datastream streams deployment-manager
    deployments manifests resources types dns dns-keys managed-zones record-sets domains registrations endpoints
    essential-contacts eventarc channels providers filestore firebase firestore databases fields functions
    event-types runtimes gke-hub healthcare datasets dicom-stores fhir-stores hl7v2-stores iam roles
    service-accounts keys workload-identity-pools iap settings web tcp dest-groups ids kms keyrings import-jobs
    logging buckets metrics sinks views links exclusions memcache metastore ml monitoring dashboards
    channel-descriptors snoozes uptime network-connectivity hubs spokes internal-ranges network-management
    connectivity-tests network-security address-groups authorization-policies client-tls-policies
    server-tls-policies gateway-security-policies url-lists tls-inspection-policies network-services gateways
    grpc-routes http-routes meshes notebooks org-policies organizations projects privateca pools roots subordinates
    templates pubsub lite-topics schemas subscriptions topics recommender insights recommendations redis
    resource-manager folders resource-settings run revisions executions scc findings notifications sources scheduler
    secrets security service-directory namespaces service-extensions source repos spanner sql databases flags tiers
    ssl users storage hmac objects tasks queues transcoder transfer agents workbench workflows workstations`.split(
    /\s+/,
  ),
)

/** `gcloud`, where the first word that is a command only asks. */
export function judgeGcloud(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  const last = words.at(-1)
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (word.startsWith('-')) {
      const equals = word.indexOf('=')
      const name = equals === -1 ? word : word.slice(0, equals)
      if (globalValues.has(name)) index += equals === -1 ? 1 : 0
      else if (!globalFlags.has(word)) return last === '--help' && index === words.length - 1
    } else if (asks.test(word)) {
      return takesRest(words, index + 1) || refuse(words, prover)
    } else if (!groups.has(word)) {
      return refuse(words, prover)
    }
  }
  return refuse(words, prover)
}

function takesRest(words: readonly string[], from: number): boolean {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (word.startsWith('-') && word !== '-q' && !option.test(word)) return false
  }
  return true
}

function refuse(words: readonly string[], prover: Prover): false {
  return prover.failAt(words, words.length, ' is not known to only read.')
}
