/** Checks DNS, TLS and reachability of the hostnames of the dialog and the wallet. */
import type { ServerConfig } from '../../kernel/config.ts'
import { getErrorReason } from '../health/reach.ts'
import { type Finding, findings } from './finding.ts'
import { doctorLimits } from './limits.ts'
import { beforeDeadline, type DoctorPorts } from './ports.ts'

const DAY_MS = 86_400_000
const httpsPort = 443

type Origins = Pick<ServerConfig, 'dialogOrigin' | 'walletOrigin'>

export async function checkHostnames(
  { dialogOrigin, walletOrigin }: Origins,
  ports: DoctorPorts,
): Promise<Finding[]> {
  const checked = await Promise.all(
    [dialogOrigin, walletOrigin].map((origin) => checkOrigin(new URL(origin), ports)),
  )
  return [...checked.flat(), checkSites(new URL(dialogOrigin), new URL(walletOrigin))]
}

async function checkOrigin(url: URL, ports: DoctorPorts): Promise<Finding[]> {
  if (url.protocol !== 'https:') {
    return [findings(`TLS of ${url.hostname}`).ok('This machine only: browsers need no TLS for localhost.')]
  }
  const dns = await checkDns(url, ports)
  if (dns.state === 'failed') return [dns]
  const tls = await checkTls(url, ports)
  return tls.state === 'failed' ? [dns, tls] : [dns, tls, await checkResponse(url, ports)]
}

async function checkDns({ hostname }: URL, ports: DoctorPorts): Promise<Finding> {
  const { ok, failed } = findings(`DNS of ${hostname}`)
  const advice = `Create an A or AAAA record for ${hostname} with the address of your TLS proxy.`
  try {
    const addresses = await beforeDeadline(ports.createDeadline(), () => ports.resolve(hostname))
    return addresses.length === 0 ? failed('It has no address.', advice) : ok(addresses.join(', '))
  } catch (error) {
    return failed(`It cannot be resolved (${getErrorReason(error)}).`, advice)
  }
}

async function checkTls({ hostname, port }: URL, ports: DoctorPorts): Promise<Finding> {
  const { ok, warning, failed } = findings(`TLS of ${hostname}`)
  const renew = `Renew the certificate of ${hostname}, and let your TLS proxy renew it automatically.`
  try {
    const { expiresAtMs, problem } = await beforeDeadline(ports.createDeadline(), (signal) =>
      ports.readCertificate(hostname, Number(port) || httpsPort, signal),
    )
    const day = new Date(expiresAtMs).toISOString().slice(0, 10)
    const leftMs = expiresAtMs - ports.nowMs()
    if (leftMs <= 0) return failed(`The certificate expired on ${day}.`, renew)
    if (problem !== undefined) {
      return failed(
        `Browsers reject the certificate (${problem}).`,
        `Install a certificate for ${hostname} from a public authority, with its intermediate certificates.`,
      )
    }
    const days = Math.floor(leftMs / DAY_MS)
    return days < doctorLimits.certificateWarningDays
      ? warning(`The certificate expires in ${days} days, on ${day}.`, renew)
      : ok(`The certificate is valid until ${day}.`)
  } catch (error) {
    return failed(
      `No TLS connection can be opened (${getErrorReason(error)}).`,
      `Start your TLS proxy for ${hostname}, and open its port ${port || httpsPort} in the firewall.`,
    )
  }
}

async function checkResponse({ hostname, origin }: URL, ports: DoctorPorts): Promise<Finding> {
  const { ok, warning } = findings(`Response of ${hostname}`)
  const advice = `Start the server, and forward ${hostname} to it with the Host header unchanged.`
  try {
    const status = await beforeDeadline(ports.createDeadline(), (signal) =>
      ports.fetchStatus(`${origin}/healthz`, signal),
    )
    return status === 200
      ? ok('A server answers.')
      : warning(`/healthz answers with status ${status}.`, advice)
  } catch (error) {
    return warning(`/healthz does not answer (${getErrorReason(error)}).`, advice)
  }
}

const commonLabels = 2

/** Browsers isolate sites, not hostnames. Without the Public Suffix List, two shared labels are only a hint. */
function checkSites(dialog: URL, wallet: URL): Finding {
  const { ok, warning } = findings('Two sites')
  const ends = [dialog, wallet].map(({ hostname }) => hostname.split('.').slice(-commonLabels).join('.'))
  const [dialogEnd = '', walletEnd = ''] = ends
  const isLocal = dialogEnd.endsWith('localhost')
  return isLocal || dialogEnd !== walletEnd
    ? ok(`${dialog.hostname} and ${wallet.hostname} are different sites.`)
    : warning(
        `${dialog.hostname} and ${wallet.hostname} both end with ${dialogEnd}.`,
        `Unless ${dialogEnd} is a public suffix such as co.uk, put the wallet on another domain, so that browsers isolate it from the dialog.`,
      )
}
