import { type LatchkeyError, loginMethodRows, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import { useState } from 'react'
import { useDialog, useSession } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { UnlinkFlow } from '../../contract/login.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { useShowAll } from '../../ui/rows/show-all.ts'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { createChallenges } from '../../webauthn/challenges.ts'
import { getDeviceName, isPasskey } from '../../webauthn/device.ts'
import { passkey } from '../../webauthn/passkey-mark.ts'
import type { OnCard } from '../../webauthn/through-window.ts'
import { type PasskeyProblem, problems } from './problem.ts'
import { texts } from './texts.arb'

type Props = ScreenProps<
  UserRecord,
  {
    authenticatorOn: OnCard
    unlink: UnlinkFlow
    /** Receives why the last addition failed, or undefined when another one begins. */
    onProblem: (problem: LatchkeyError | undefined) => void
  }
>

/** Resolves with the user after a passkey was added. */
export function LinkPasskeyScreen({ authenticatorOn, unlink, onProblem, screen }: Props) {
  const { handle, screens, services } = useDialog()
  const { api, clock, session } = services
  const state = useSession()
  const [isAdding, setIsAdding] = useState(false)
  const [problem, setProblem] = useState<PasskeyProblem>()
  const callOptions = { signal: handle.signal }
  const [challenges] = useState(() =>
    createChallenges(clock, () => api.call(passkeyRoutes.beginPasskeyLink, {}, callOptions)),
  )
  const passkeys = state.status === 'authenticated' ? state.user.linkedAccounts.filter(isPasskey) : []

  function clearProblem() {
    setProblem(undefined)
    onProblem(undefined)
  }

  async function add() {
    if (isAdding) return
    setIsAdding(true)
    clearProblem()
    try {
      const { relyingParty, options } = await challenges.present()
      const authenticatorResponse = await authenticatorOn(handle).create(options, handle.signal)
      challenges.spend()
      const user = await api.call(
        passkeyRoutes.linkPasskey,
        { relyingParty, authenticatorResponse },
        callOptions,
      )
      session.replaceUser(user)
      screen.resolve(user)
    } catch (cause) {
      const error = toLatchkeyError(cause, 'failed_to_link_account', 'The passkey could not be linked')
      setIsAdding(false)
      setProblem(rowFor(problems, error.code))
      onProblem(error)
    }
  }

  async function askToUnlink(id: string) {
    const account = passkeys.find(({ credentialId }) => credentialId === id)
    if (!account || isAdding) return
    clearProblem()
    // Rejects if the user keeps the passkey.
    await screens.run(unlink(id, getDeviceName(account))).catch(() => {})
  }

  return (
    <LinkPasskeyView
      passkeys={passkeys.map((each) => ({ id: each.credentialId, device: getDeviceName(each) }))}
      hasRoom={passkeys.length < loginMethodRows.passkey.maxPerUser}
      isAdding={isAdding}
      problem={problem}
      onAdd={() => void add()}
      onUnlink={(id) => void askToUnlink(id)}
    />
  )
}

export function PasskeyAdded() {
  const { link } = useTexts(texts)
  return <Success title={link.added} detail={link.addedDetail} />
}

export type LinkPasskeyViewProps = {
  passkeys: readonly ListedPasskey[]
  hasRoom: boolean
  isAdding: boolean
  /** Why the last addition failed. */
  problem: PasskeyProblem | undefined
  onAdd: () => void
  onUnlink: (id: string) => void
}
export type ListedPasskey = { id: string; device: string | undefined }

/** The number of passkeys that are shown until the user requests all. */
const firstListed = 2

export function LinkPasskeyView(props: LinkPasskeyViewProps) {
  const { passkeys, hasRoom, isAdding, problem, onAdd, onUnlink } = props
  const { link, problems: problemTexts } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{link.title}</Title>
        <Lead>{hasRoom ? link.detail : link.full}</Lead>
      </Heading>
      {problem !== undefined && (
        <Banner kind={problem === 'notAllowed' ? 'info' : 'danger'}>
          {problem === 'unknown' ? problemTexts.unknownOnLink : problemTexts[problem]}
        </Banner>
      )}
      {passkeys.length > 0 && <Passkeys passkeys={passkeys} onPress={onUnlink} />}
      {hasRoom && (
        <Button busy={isAdding && link.adding} onPress={onAdd}>
          {link.add}
        </Button>
      )}
    </Stack>
  )
}

type PasskeysProps = {
  passkeys: readonly ListedPasskey[]
  onPress: (id: string) => void
}

function Passkeys({ passkeys, onPress }: PasskeysProps) {
  const { link } = useTexts(texts)
  const { showsAll, showAll, list } = useShowAll()
  const listedPasskeys = showsAll ? passkeys : passkeys.slice(0, firstListed)
  return (
    <>
      <div ref={list} tabIndex={-1}>
        <Group>
          {listedPasskeys.map(({ id, device }) => (
            <OptionRow
              key={id}
              icon={<Mark drawing={passkey} />}
              label={device ?? link.unknownDevice}
              end={{ kind: 'note', text: link.unlink }}
              onPress={() => onPress(id)}
            />
          ))}
        </Group>
      </div>
      {listedPasskeys.length < passkeys.length && (
        <Note>
          <Button kind="text" onPress={showAll}>
            {link.viewAll}
          </Button>
        </Note>
      )}
    </>
  )
}
