// Exits with 0 if the server of this machine is ready, else with 1 and the reason: node health-check.mjs
// The health check of the container image, which has no curl.

const { HOST = '', PORT = '' } = process.env
const isEverywhere = ['', '0.0.0.0', '::'].includes(HOST)
const host = isEverywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
const deadlineMs = 4_000

try {
  const response = await fetch(`http://${host}:${PORT || 4000}/readyz`, {
    signal: AbortSignal.timeout(deadlineMs),
  })
  if (!response.ok) throw new Error(await response.text())
} catch (error) {
  console.error(error.cause?.message ?? error.message)
  process.exit(1)
}
