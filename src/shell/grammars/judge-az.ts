import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'

// Not --debug, which prints the request.
const globalFlags = new Set(['--verbose', '--only-show-errors'])
const globalValues = new Set(['-o', '--output', '--query', '--subscription'])

// The groups of version 2.45 and of well-known extensions. Another word could be a command of any extension.
const services = new Set(
  `account acr ad advisor afd aks ams apim appconfig appservice aro backup batch batchai bicep billing bot cache
    capacity cdn cloud cognitiveservices config connection consumption container cosmosdb databoxedge deployment
    deployment-scripts deploymentmanager disk disk-access disk-encryption-set dla dls dms eventgrid eventhubs
    extension feature functionapp group hdinsight identity image iot keyvault kusto lab lock logicapp
    managed-cassandra managedapp managedservices maps mariadb monitor mysql netappfiles network policy postgres ppg
    private-link provider redis relay resource resourcemanagement restore-point role search security servicebus sf
    sig signalr snapshot sql sshkey staticwebapp storage synapse tag term ts vm vmss webapp boards devops pipelines
    repos artifacts containerapp ml graph desktopvirtualization datafactory databricks spring k8s-extension
    k8s-configuration connectedk8s stack stack-hci quantum support webpubsub communication purview`.split(
    /\s+/,
  ),
)
const asks =
  /^(?:list|show|exists|logs|tail|query|summarize|version|url|(?:list|show|check-name)-[a-z0-9-]+|get-(?:versions|upgrades|instance-view|boot-log|os-options))$/
// Any other word before the last one could be the real command.
const acts = `abort accept acquire activate add append apply approve assess assign attach authorize begin bind break
  browse build cancel capture change claim clear clone close complete configure convert copy create cutover
  deactivate deallocate decompile decrypt delete deploy detach disable disconnect download edit enable encrypt exec
  execute export extend failover feedback finalize find force generalize generate get grant import init initialize
  insert install interactive invite invoke join load login logout merge migrate mount move open pause peek perform
  promote publish purge push put random reactivate reapply reboot reconnect recover redeploy regenerate register
  reimage reject relocate remove rename renew replace rerun reset resize rest restart restore resume retrieve
  revert revoke rotate run save scale scan send set setup simulate ssh start stop submit subscribe suspend swap sync
  terminate unauthorize unbind undelete uninstall unlink unlock unmount unregister unset unsubscribe untag update
  upgrade upload use validate wait`
const group = new RegExp(
  `^(?!(?!(?:failover-group|restore-point|run-command|export-policy|set-definition)$)(?:${acts.split(/\s+/).join('|')})(?:-|$))[a-z][a-z0-9-]*$`,
)
// Names under which secrets are returned. The keys of a vault are shown without their secret part, and for its secrets
// only the names are listed.
const secretWord =
  /^(?:keys?|credentials?|tokens?|secrets?|appsettings|connection-strings?|sas-definition|(?:admin|query|shared|tde)-key)$/
const secretVerb =
  /key|secret|credential|token|connection-string|password|publishing|cd-url|show-url|-sas$|config/
const openPath = /^keyvault (?:key [a-z-]+|secret list(?:-versions|-deleted)?)$/

// Options that open a browser, name a file to write, print secrets, or choose the host that a token goes to.
const dangerous =
  `--open --file --file-path --path --destination --dest --output-file --output-folder --result-file
  --log-file --debug --show-secrets --show-values --include-secrets --connection-string --account-endpoint
  --blob-endpoint --file-endpoint --queue-endpoint --table-endpoint --dfs-endpoint --endpoint --manifest
  --download-path`.split(/\s+/)
const option = /^(?:--[a-z][a-z0-9-]*|-[a-eg-z])$/
// They become a part of the host's name.
const hostName = /^--(?:vault-name|hsm-name|account-name|name|registry)$|^-n$/

const DASH = 45

/** `az`, if the last word before the options only reads. */
export function judgeAz(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  let start = from
  for (; start < words.length && isOption(words[start]!); start++) {
    if (globalValues.has(words[start]!)) start += 1
    else if (!globalFlags.has(words[start]!))
      return (start === words.length - 1 && words[start] === '-h') || refuse(words, start + 1, prover)
  }
  let end = start
  while (end < words.length && !isOption(words[end]!)) end++
  const last = words[words.length - 1]
  if (!areGroups(words, start, end - 1)) return refuse(words, end, prover)
  if (end > start && end === words.length - 1 && (last === '--help' || last === '-h')) return true
  if (end === start || !asks.test(words[end - 1]!) || showsSecret(words.slice(start, end)))
    return refuse(words, end, prover)
  return takesOptions(words, end, prover)
}

function areGroups(words: readonly string[], start: number, end: number): boolean {
  if (end > start && !services.has(words[start]!)) return false
  for (let index = start; index < end; index++) {
    // Elsewhere it builds: `az acr build`.
    const isBuild = words[index] === 'build' && words[index - 1] === 'pipelines'
    if (!isBuild && !group.test(words[index]!)) return false
  }
  return true
}

function showsSecret(path: readonly string[]): boolean {
  if (openPath.test(path.join(' '))) return false
  return path.slice(0, -1).some((word) => secretWord.test(word)) || secretVerb.test(path.at(-1)!)
}

function takesOptions(words: readonly string[], from: number, prover: Prover): boolean {
  let name = ''
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    let value = word
    if (isOption(word)) {
      const equals = word.indexOf('=')
      name = equals === -1 ? word : word.slice(0, equals)
      if (!isHarmlessOption(name)) return refuse(words, index + 1, prover)
      value = equals === -1 ? '' : word.slice(equals + 1)
    }
    if (!isPlainValue(name, value)) return refuse(words, index + 1, prover)
  }
  return true
}

/** The client accepts abbreviated options: `--show-sec` is `--show-secrets`. */
function isHarmlessOption(name: string): boolean {
  if (globalValues.has(name)) return true
  return option.test(name) && !dangerous.some((full) => name.length > 2 && full.startsWith(name))
}

/** Whether a value is literal, neither a file whose content is sent instead nor another host. */
function isPlainValue(name: string, value: string): boolean {
  if (value.startsWith('@')) return false
  if (value.includes('://'))
    return /^https:\/\/(?:dev\.azure\.com|[\w-]+\.visualstudio\.com)\/[\w%.-]*$/.test(value)
  return !hostName.test(name) || !/[/?#\\@:]/.test(value)
}

function isOption(word: string): boolean {
  return word.charCodeAt(0) === DASH
}

function refuse(words: readonly string[], end: number, prover: Prover): false {
  return prover.failAt(words, end, ' is not known to only read.')
}
