import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'

// Not --log-http, which prints the request, nor --impersonate-service-account, which makes a token for another account.
const globalFlags = new Set(['--quiet', '-q', '--user-output-enabled', '--no-user-output-enabled'])
const globalValues = new Set(
  '--project --account --format --configuration --verbosity --billing-project'.split(' '),
)

const asks =
  /^(?:list|describe|read|tail|get|get-value|get-iam-policy|get-ancestors|get-server-config|get-health|get-status|info|version|(?:list|describe|search)-[a-z-]+)$/

// The options that commands of these names have in version 528, without those that read more options or a token from a
// file, add to the request, or change settings (info --run-diagnostics).
const options = new Set(
  `account billing-project configuration flatten format help project quiet user-output-enabled verbosity limit filter
    sort-by page-size uri location region zone organization regexp global folder instance regions billing-account
    cluster service view zones dataset database lake namespace keyring repository log-filter bucket
    workload-identity-pool show-deleted freshness order entry-group policy api router simple-list deployment
    page-token read-time raw config environment source type package all provider domain job instances network backup
    gen2 key model connection map locations nat state-filter collection-group v2 attachment-point kind resource-type
    insight-type recommender backup-collection compare-duration field-mask order-by instance-config
    instance-partition show-edition soft-deleted queue metadata-filter show-all-metadata show-build-details
    show-deployment show-image-basis show-package-vulnerability occurrence-filter show-occurrences
    show-occurrences-from security-policy created-before pending full revision generation show-cluster-status task
    name effective show-unset expand-table job-names level logs private-connection instance-location instance-region
    pool index index-endpoint summarize verbose show-provenance show-sbom-references include-tags tag filter-account
    ongoing tree firewall-policy protocol preview-images show-deprecated standard-images direction address-family
    destination-range peer policy-applied route-direction share-settings network-project entry job-id end-time
    execution-id min-log-level start-time iam-account managed-by dest-group operation-filter resource-names
    sink-filter gateway-security-policy parent abandoned cancelled completed execution failed no-completed no-started
    running started succeeded asset resource-name source-display-name database-version host response-view gdc-zone
    image-zone service-project after before importance changed-after hide-committed tentative transform
    aspect-types paths provider-project buffer-window recursive worker-pool long service-account exhaustive
    next-page-token stat server-filter job-statuses operation-names operation-statuses hide-no-traffic created-after
    status spoke-locations secret available enabled workflow stream issuer-pool image guest-attributes types
    ip-cidr-range owner-projects owner-types subnet-name subnet-region job-type target only-local-state
    show-platform show-versions only-managed only-unmanaged migration-job show-log issuer-location revision-id`.split(
    /\s+/,
  ),
)
// They become a part of the host's name.
const places = new Set(['--region', '--location', '--regions', '--locations'])
// Settings that may be read by name. Others are passwords and token files.
const openSettings =
  /^(?:(?:core|compute|run|functions|app|artifacts|builds|container|dataproc|deploy)\/)?(?:project|account|region|zone|location|platform|cluster|disable_prompts|verbosity)$/

// Groups before read-only commands. A word outside this list could be a command of its own.
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

/** `gcloud`, if the first word that is a command only reads. */
export function judgeGcloud(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  const path: string[] = []
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (word.startsWith('-')) {
      const equals = word.indexOf('=')
      const name = equals === -1 ? word : word.slice(0, equals)
      if (globalValues.has(name)) index += equals === -1 ? 1 : 0
      else if (!globalFlags.has(word))
        return (word === '--help' && index === words.length - 1) || refuse(words, prover)
    } else if (asks.test(word)) {
      return takesRest(words, index + 1, path.at(-1) === 'config') || refuse(words, prover)
    } else if (!isGroup(word, path)) {
      return refuse(words, prover)
    } else {
      path.push(word)
    }
  }
  return refuse(words, prover)
}

/** Whether it is a group here: in other positions `run` starts a job, and `docker` the program. */
function isGroup(word: string, path: readonly string[]): boolean {
  if (word === 'run') return path.every((one) => /^(?:alpha|beta|preview)$/.test(one))
  if (word === 'docker') return path.at(-1) === 'artifacts'
  return groups.has(word)
}

function takesRest(words: readonly string[], from: number, isSetting: boolean): boolean {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (!word.startsWith('-')) {
      if (isSetting && !openSettings.test(word)) return false
      continue
    }
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (word === '-q') continue
    if (!options.has(name.slice(2))) return false
    if (!places.has(name)) {
      if (equals === -1 && globalValues.has(name)) index += 1
      continue
    }
    if (equals === -1) index += 1
    if (!/^[a-z0-9,-]+$/.test(equals === -1 ? (words[index] ?? '') : word.slice(equals + 1))) return false
  }
  return true
}

function refuse(words: readonly string[], prover: Prover): false {
  return prover.failAt(words, words.length, ' is not known to only read.')
}
