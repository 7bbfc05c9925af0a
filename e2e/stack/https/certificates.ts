/**
 * The certificate authority that the test browsers trust, and the certificate of the stack. Ignoring
 * certificate errors would change passkeys, cookies and storage, so browsers need a trusted certificate.
 *
 * The authority's key is deleted after one signature, so it cannot sign anything else. Only home directories
 * and Firefox profiles of the tests trust it, never those of the developer.
 */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'

/** The server calls the sandbox too, and Node does not resolve `*.localhost`. */
export const sandboxAddress = '127.0.0.1'
/**
 * The program behind each hostname. Each is listed, because browsers accept no certificate for `*.localhost`.
 */
export const programs = {
  'demo.localhost': 'demo',
  'other.localhost': 'demo',
  'stranger.localhost': 'demo',
  'dialog.localhost': 'server',
  'wallet.localhost': 'server',
  'api.localhost': 'server',
  // Hostnames of another operator, with a second stack.
  'wharf-demo.localhost': 'demo',
  'wharf-dialog.localhost': 'server',
  'wharf-wallet.localhost': 'server',
  'wharf-api.localhost': 'server',
  [sandboxAddress]: 'sandbox',
} as const
const hostnames = Object.keys(programs)

const validDays = 365
/** Renew early, so that the certificate stays valid for the whole run. */
const renewedBeforeMs = 24 * 3_600_000

const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
const folder = join(cache, 'https')
const authorityName = 'latchkey-tests'

/** Chromium reads its trust store from the home directory. */
export const browserHome = join(folder, 'home')
/** Firefox reads its trust store from the profile, which is copied for each browser. */
export const firefoxProfile = join(folder, 'firefox-profile')
export const authorityFile = join(folder, 'authority.pem')

export const readCertificate = () => ({
  cert: readFileSync(join(folder, 'stack.pem')),
  key: readFileSync(join(folder, 'stack.key')),
})

/** Runs once before all tests, which only read the files. */
export function ensureCertificates(): void {
  if (isUsable()) return
  mkdirSync(cache, { recursive: true })
  const newFolder = mkdtempSync(join(cache, 'https-'))
  sign(newFolder)
  trust(join(newFolder, 'authority.pem'), join(newFolder, 'home', '.pki', 'nssdb'))
  trust(join(newFolder, 'authority.pem'), join(newFolder, 'firefox-profile'))
  rmSync(folder, { recursive: true, force: true })
  renameSync(newFolder, folder)
}

function isUsable(): boolean {
  if (!existsSync(folder)) return false
  const certificate = new X509Certificate(readCertificate().cert)
  return (
    Date.parse(certificate.validTo) - Date.now() > renewedBeforeMs &&
    hostnames.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) === name)
  )
}

function sign(made: string): void {
  const openssl = (subject: string, args: readonly string[], extensions: readonly string[]) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'],
        ...['-days', String(validDays), '-subj', `/CN=${subject}`, ...args],
        ...extensions.flatMap((extension) => ['-addext', extension]),
      ],
      { cwd: made, stdio: 'pipe' },
    )
  const names = hostnames.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`)
  openssl(
    authorityName,
    ['-keyout', 'authority.key', '-out', 'authority.pem'],
    ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'],
  )
  openssl(
    'latchkey-stack',
    ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-keyout', 'stack.key', '-out', 'stack.pem'],
    ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=serverAuth', `subjectAltName=${names.join()}`],
  )
  rmSync(join(made, 'authority.key'))
}

/** An NSS database, the certificate store of both browsers. */
function trust(authority: string, database: string): void {
  mkdirSync(database, { recursive: true })
  const certutil = (...args: readonly string[]) =>
    execFileSync('certutil', ['-d', `sql:${database}`, ...args], { stdio: 'pipe' })
  certutil('-N', '--empty-password')
  certutil('-A', '-t', 'C,,', '-n', authorityName, '-i', authority)
}

/**
 * Trusts the authority in Node, for requests of the tests and those that Playwright makes for the browser.
 */
export function trustInThisProcess(): void {
  const trusted = getCACertificates('default')
  const authority = readFileSync(authorityFile, 'utf8')
  if (!trusted.some((each) => each.trim() === authority.trim())) {
    setDefaultCACertificates([...trusted, authority])
  }
}
