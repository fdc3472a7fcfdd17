import type { Finding } from './finding.js'

const OLDEST = 20

export function checkNode(version = process.versions.node): Finding {
  const isOk = Number(version.split('.')[0]) >= OLDEST
  return isOk
    ? { check: 'node', status: 'ok', message: version }
    : { check: 'node', status: 'problem', message: `${version} is too old; install Node ${OLDEST} or later` }
}
