import { examine } from '../doctor/doctor.ts'
import type { Finding } from '../doctor/finding.ts'
import { networkPorts } from '../doctor/ports.ts'
import { parseOptions } from './spec.ts'
import { doctorSpec } from './specs/server.ts'
import { resolveUserPath } from './whole-database/operation.ts'

export async function run(args: string[]): Promise<void> {
  const { json = false, 'key-backup': backups = [] } = parseOptions(doctorSpec, args)
  const keyBackups = backups.map((path) => resolveUserPath(path, process.env))
  const findings = await examine({ environment: process.env, keyBackups, ports: networkPorts })
  const isHealthy = findings.every(({ state }) => state !== 'failed')
  const lines = json ? [JSON.stringify({ ok: isHealthy, findings }, null, 2)] : formatFindings(findings)
  // Exits even if a connection attempt is still pending.
  process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isHealthy ? 0 : 1))
}

const longestState = 'warning'.length

const formatFindings = (found: Finding[]): string[] =>
  found.flatMap(({ check, state, message, advice }) => [
    `${state.padEnd(longestState)}  ${check}: ${message}`,
    ...(advice === undefined ? [] : [`${' '.repeat(longestState)}  → ${advice}`]),
  ])
