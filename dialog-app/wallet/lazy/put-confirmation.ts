/** Loaded with the first request, because a login needs no confirmation. */
import { confirmRoutes } from '@latchkey/protocol/api'
import type { Confirm, ConfirmPorts } from '../confirmed.ts'

export async function putConfirmation(
  { api, clock, hostOrigin: origin, newHandle, buttonUrl }: ConfirmPorts,
  ...[
    address,
    request,
    { signal, place = 'frame', handle = newHandle(), requester } = {},
  ]: Parameters<Confirm>
): ReturnType<Confirm> {
  const requestedAtMs = clock.nowMs()
  const { expiresInSeconds, ...confirmation } = await api.call(
    confirmRoutes.putConfirmation,
    { handle, address, request, origin, place, ...(requester && { requester }) },
    { signal },
  )
  return {
    ...confirmation,
    handle,
    ...(requester && { isRelayed: true }),
    expiresAtMs: requestedAtMs + expiresInSeconds * 1_000,
    buttonUrl: buttonUrl('confirm', handle),
  }
}
