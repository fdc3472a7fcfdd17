import type { CommandFamily, CommandSpec, Given } from '../command-spec.js'

const LISTS =
  '-a -q --all --quiet --no-trunc -f= --filter= --format= --digests -n= --last= -l --latest -s --size --tree'
const LOGS =
  '-f -t --follow --timestamps --details --since= --until= -n= --tail= --no-color --no-log-prefix --index='
const lists: CommandSpec = { options: LISTS }
const logs: CommandSpec = { options: LOGS }
const inspects: CommandSpec = { options: '-f= --format= -s --size --type= --pretty -v --verbose' }
const stats: CommandSpec = { options: '-a --all --format= --no-stream --no-trunc' }
const plain: CommandSpec = {}

// Not --project-directory, which chooses another folder.
const COMPOSE = '-f= --file= -p= --project-name= --env-file= --profile= --ansi= --compatibility --progress='

/** A file of this folder. One of another folder, or of another host, could name sources to fetch from anywhere. */
const isFileHere = (value: string) => /^(?!\/)[\w./-]+$/.test(value) && !value.split('/').includes('..')

const compose: CommandSpec = {
  // What it includes may be fetched, by git or from a registry.
  reliesOn: 'folder',
  options: COMPOSE,
  values: { '-f': isFileHere, '--file': isFileHere, '--env-file': isFileHere },
  isPersistent: true,
  helpOf: 'up down build pull push start stop restart rm create kill pause unpause',
  verbs: {
    'ps ls images': { options: `${LISTS} --services --status= --orphans` },
    logs,
    'top port version': { options: '--protocol= --index= -f= --format= --short' },
    'config convert': {
      // Not -o, which writes, and --lock-image-digests.
      options: `--services --volumes --images --profiles --networks --environment --variables -q --quiet --format=
        --hash= --no-interpolate --no-normalize --no-path-resolution --no-consistency`,
      operand: (value) => /^[\w.-]+$/.test(value),
    },
    events: { options: '--json' },
    stats,
  },
}

// Not `exec`: what a container calls `ls` is unknown.
const engine: CommandSpec['verbs'] = {
  'ps images': lists,
  'inspect history': { options: '-f= --format= -s --size --type= -H --human --no-trunc -q --quiet' },
  logs,
  stats,
  // Further words are options of `ps`, which podman runs inside the container.
  top: { operands: 1 },
  'port diff': plain,
  'info version': { options: '-f= --format= --client' },
  search: { options: '--limit= --no-trunc -f= --filter= --format= --stars=', isOpenWorld: true },
  events: { options: '-f= --filter= --since= --until= --format=' },
  container: {
    verbs: {
      'ls list ps': lists,
      inspect: inspects,
      logs,
      stats,
      top: { operands: 1 },
      'port diff': plain,
      export: { operands: 1 },
    },
  },
  image: { verbs: { 'ls list': lists, inspect: inspects, history: { options: LISTS } } },
  network: { verbs: { 'ls list': lists, inspect: inspects } },
  volume: { verbs: { 'ls list': lists, inspect: inspects } },
  system: {
    verbs: {
      df: { options: '-v --verbose --format=' },
      info: { options: '-f= --format=' },
      events: { options: '-f= --filter= --since= --until= --format=' },
    },
  },
}

const isSocket = (value: string) =>
  /^(?:unix:\/\/[\w./-]+|tcp:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?)$/.test(value)

/** Whether a request to a cluster could print the value of a secret. */
function showsSecret({ options, operands }: Given): boolean {
  const isSecret = operands.some(
    (operand) => typeof operand !== 'string' || /(?:^|[,/])secrets?(?:$|[.,/])/i.test(operand),
  )
  // Both spellings: the last one wins.
  const isHidden = ['-o', '--output'].every((name) => /^(?:=?(?:name|wide))?$/.test(options.get(name) ?? ''))
  return isSecret && (!isHidden || options.has('--template'))
}

const SELECT = `-l= --selector= --field-selector= -A --all-namespaces --chunk-size= --ignore-not-found --show-labels -L=
    --label-columns=`

// Not --kubeconfig, which can name a program that returns credentials, nor --insecure-skip-tls-verify, which would send
// them to anyone.
const KUBECTL = '-n= --namespace= --context= --cluster= --request-timeout= -v= --v='

// From 7 on it prints the traffic with its secrets.
const isQuiet = (value: string) => /^=?[0-6]$/.test(value)
// A template in a file would print the file.
const isFormat = (value: string) =>
  /^=?(?:json|yaml|name|wide|(?:jsonpath|jsonpath-as-json|go-template|template|custom-columns)=.*)$/s.test(
    value,
  )

/** Containers and clusters, if they are only inspected. */
export const containers: CommandFamily = {
  docker: {
    options: '-H= --host= -c= --context= -D --debug -l= --log-level= -v',
    // Another host would learn about this one, and ssh:// runs a program.
    values: { '-H': isSocket, '--host': isSocket },
    isBare: true,
    helpOf:
      'build pull push rm rmi create start stop restart kill tag login network volume image container system swarm',
    verbs: {
      ...engine,
      compose,
      context: { verbs: { 'ls list': lists, inspect: inspects, show: plain } },
      service: {
        verbs: { 'ls list': lists, ps: { options: `${LISTS} --no-resolve` }, inspect: inspects, logs },
      },
      stack: { verbs: { 'ls list': lists, 'ps services': { options: `${LISTS} --no-resolve` } } },
      node: { verbs: { 'ls list': lists, ps: { options: `${LISTS} --no-resolve` }, inspect: inspects } },
      'secret config plugin': { verbs: { 'ls list': lists, inspect: inspects } },
      buildx: { verbs: { ls: lists, version: plain, du: { options: '--verbose --filter=' } } },
    },
  },
  podman: {
    options: '-v --log-level= --noout',
    helpOf: 'build pull push rm rmi create start stop restart kill tag login',
    verbs: { ...engine, pod: { verbs: { 'ls list ps': lists, inspect: inspects, stats, top: plain } } },
  },
  'docker-compose podman-compose': compose,

  kubectl: {
    isOpenWorld: true,
    isPersistent: true,
    options: KUBECTL,
    values: { '-v': isQuiet, '--v': isQuiet, '-o': isFormat, '--output': isFormat },
    helpOf:
      'apply create delete edit patch replace scale rollout expose run exec cp label annotate drain cordon config',
    verbs: {
      get: {
        options: `${SELECT} -o= --output= -w --watch --watch-only --no-headers --sort-by= --show-kind
          --show-managed-fields --subresource= --template= --server-print? -R --recursive --output-watch-events`,
        check: (given) => !showsSecret(given),
      },
      describe: { options: `${SELECT} --show-events?` },
      logs: {
        options: `-f --follow -p --previous -c= --container= --all-containers? --since= --since-time= --tail=
          --timestamps? --prefix? -l= --selector= --max-log-requests= --limit-bytes= --ignore-errors
          --pod-running-timeout= --all-pods`,
      },
      top: {
        verbs: {
          'pod pods po': { options: `${SELECT} --containers --no-headers --sort-by= --sum` },
          'node nodes no': { options: `${SELECT} --no-headers --sort-by= --show-capacity` },
        },
      },
      explain: { options: '--recursive --api-version= -o= --output=' },
      'api-resources api-versions': {
        options:
          '--api-group= --namespaced? --verbs= -o= --output= --no-headers --sort-by= --cached --categories=',
      },
      version: { options: '--client --short -o= --output=' },
      'cluster-info': { operands: 0 },
      events: { options: `${SELECT} --for= --types= -w --watch -o= --output= --no-headers` },
      // Not --raw, which prints keys.
      config: {
        verbs: {
          view: { options: '--minify --flatten -o= --output=' },
          'get-contexts get-clusters get-users current-context': { options: '-o= --output= --no-headers' },
        },
      },
      auth: {
        verbs: {
          'can-i': { options: '--list -q --quiet --subresource= -A --all-namespaces' },
          whoami: { options: '-o= --output=' },
        },
      },
      rollout: {
        verbs: {
          status: { options: '-w --watch? --timeout= --revision= -l= --selector=' },
          history: { options: '--revision= -o= --output= -l= --selector=' },
        },
      },
      plugin: { verbs: { list: { options: '--name-only' } } },
      'completion options': plain,
    },
  },
}
