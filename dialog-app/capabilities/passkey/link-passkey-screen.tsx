import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { useShowAll } from '../../ui/rows/show-all.ts'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import type { PasskeyProblem } from './problem.ts'
import { texts } from './texts.arb'

export type LinkPasskeyState =
  | {
      status: 'list'
      passkeys: readonly ListedPasskey[]
      hasRoom: boolean
      isAdding: boolean
      /** Why the last one was not added. */
      problem: PasskeyProblem | undefined
    }
  | { status: 'added' }
export type ListedPasskey = { id: string; device: string | undefined }
export type LinkPasskeyEvents = { add: readonly []; unlink: readonly [id: string] }

/** How many are listed before the user asks for all. */
const firstListed = 2

export function LinkPasskeyScreen({ state, send }: PartProps<LinkPasskeyState, LinkPasskeyEvents>) {
  const { link, problems } = useTexts(texts)
  if (state.status === 'added') {
    return <Success title={link.added} detail={link.addedDetail} />
  }
  const { passkeys, hasRoom, isAdding, problem } = state
  return (
    <Stack>
      <Heading>
        <Title>{link.title}</Title>
        <Lead>{hasRoom ? link.detail : link.full}</Lead>
      </Heading>
      {problem !== undefined && (
        <Banner kind={problem === 'notAllowed' ? 'info' : 'danger'}>
          {problem === 'unknown' ? problems.unknownOnLink : problems[problem]}
        </Banner>
      )}
      {passkeys.length > 0 && <Passkeys passkeys={passkeys} onPress={(id) => send('unlink', id)} />}
      {hasRoom && (
        <Button busy={isAdding && link.adding} onPress={() => send('add')}>
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
  const shown = showsAll ? passkeys : passkeys.slice(0, firstListed)
  return (
    <>
      <div ref={list} tabIndex={-1}>
        <Group>
          {shown.map(({ id, device }) => (
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
      {shown.length < passkeys.length && (
        <Note>
          <Button kind="text" onPress={showAll}>
            {link.viewAll}
          </Button>
        </Note>
      )}
    </>
  )
}
