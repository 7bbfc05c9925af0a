/** `latchkey doctor`: checks a server's configuration, network, database, clock and keys before or while it runs. */
import { collectEnvironment, collectThirdParties } from '../../kernel/capability.ts'
import { ConfigError, parseConfig, type ServerConfig } from '../../kernel/config.ts'
import type { Environment } from '../../kernel/environment.ts'
import { capabilities } from '../capabilities.ts'
import { clockLimits } from '../health/limits.ts'
import { getErrorReason } from '../health/reach.ts'
import { missingVariables } from '../required.ts'
import { telemetryEnvironment } from '../telemetry/environment.ts'
import { unknownVariables } from '../unknown-variables.ts'
import { type Finding, findings } from './finding.ts'
import { checkHostnames } from './hostnames.ts'
import { beforeDeadline, type DoctorPorts } from './ports.ts'
import { checkStorage, formatDifference } from './storage.ts'

export type DoctorOptions = {
  environment: Environment
  /** Paths of copies of the key files. */
  keyBackups: string[]
  ports: DoctorPorts
}

export async function examine({ environment, keyBackups, ports }: DoctorOptions): Promise<Finding[]> {
  const { config, configFindings } = checkConfiguration(environment)
  if (!config) return configFindings
  const [hostnames, storage, thirdParties] = await Promise.all([
    checkHostnames(config, ports),
    checkStorage(config, keyBackups, ports),
    checkThirdParties(config, ports),
  ])
  // The clock check uses the time in the responses of the third parties.
  return [...configFindings, ...hostnames, ...storage, ...thirdParties, checkClock(ports)]
}

function checkConfiguration(environment: Environment): {
  config?: ServerConfig
  configFindings: Finding[]
} {
  const { ok, warning, failed } = findings('Configuration')
  const unknown = unknownVariables(environment).map(({ variable, suggestion }) =>
    warning(
      `Nothing reads the variable ${variable}.`,
      suggestion === undefined ? 'Remove it.' : `Rename it to ${suggestion}, or remove it.`,
    ),
  )
  const missing = missingVariables(environment).map(({ name, meaning }) =>
    failed(`${name} is missing.`, `Set it to ${meaning}.`),
  )
  try {
    const config = parseConfig(environment, [...collectEnvironment(capabilities), telemetryEnvironment])
    if (missing.length > 0) return { configFindings: [...missing, ...unknown] }
    return { config, configFindings: [ok('Every variable is valid.'), ...unknown] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const invalid = error.message
      .split('\n')
      .map((line) => failed(`${line}.`, 'Correct it: docs/reference/environment.md'))
    return { configFindings: [...missing, ...invalid, ...unknown] }
  }
}

const checkThirdParties = (config: ServerConfig, ports: DoctorPorts): Promise<Finding[]> =>
  Promise.all(
    collectThirdParties(capabilities, config).map(async (party): Promise<Finding> => {
      const { variable, url } = party
      const { host } = new URL(url)
      const { ok, warning, failed } = findings(variable)
      try {
        await beforeDeadline(ports.createDeadline(), (signal) => ports.reach(party, signal))
        return ok(`${host} answers.`)
      } catch (error) {
        const message = `${host} cannot be used (${getErrorReason(error)}).`
        const advice = `Correct ${variable}, or allow connections from this machine to ${host}.`
        // E-mail logins fail without mail. Other third parties may be down temporarily.
        return variable === 'SMTP_URL' ? failed(message, advice) : warning(message, advice)
      }
    }),
  )

function checkClock(ports: DoctorPorts): Finding {
  const { ok, warning, failed } = findings('Clock')
  const othersMs = ports.thirdPartyNowMs()
  const advice = 'Synchronise this machine by NTP: timedatectl set-ntp true'
  if (othersMs === undefined) {
    return warning('No third party returned its time, so the clock is not compared.', advice)
  }
  const aheadMs = ports.nowMs() - othersMs
  return Math.abs(aheadMs) <= clockLimits.toleratedMs
    ? ok('It agrees with the time in responses of third parties.')
    : failed(`The clock of this machine is ${formatDifference(aheadMs)} the clocks of third parties.`, advice)
}
