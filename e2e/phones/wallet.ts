/** The sandbox's phone with a wallet. The test is its user. */
type PhoneRequest = {
  id: number
  type: 'session' | 'sign' | 'switch'
  from: { name: string; url: string }
  message?: string
}
type State = {
  address: string
  asked: readonly PhoneRequest[]
  sessions: readonly { name: string }[]
}

export type PhoneWallet = {
  state: () => Promise<State>
  /** Scans the code, by its link. */
  join: (uri: string) => Promise<void>
  /** Answers the next request. */
  says: (answer: 'approve' | 'reject') => Promise<PhoneRequest>
  leave: () => Promise<void>
  /** Gives the phone a new key. */
  reset: () => Promise<void>
}

export function phoneWallet(sandboxUrl: string): PhoneWallet {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${sandboxUrl}/api/phone${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`The phone responded with ${answer.status} to ${method} ${path}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  return {
    state: () => call('GET', ''),
    join: (uri) => call('POST', '/pairings', { uri }),
    async says(answer) {
      const { asked } = (await call('GET', '/asked/next')) as { asked: PhoneRequest }
      await call('POST', `/asked/${asked.id}`, { answer })
      return asked
    },
    leave: () => call('DELETE', '/sessions'),
    reset: () => call('DELETE', ''),
  }
}
