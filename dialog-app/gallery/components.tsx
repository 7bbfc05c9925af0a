/** Shows every UI component in every state. */
import { Provider } from 'jotai/react'
import { type ReactNode, useMemo, useState } from 'react'
import { Frame } from '../shell/frame.tsx'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { StatusSeal } from '../ui/feedback/status-seal.tsx'
import { CodeField } from '../ui/fields/code-field.tsx'
import { EmailField } from '../ui/fields/email-field.tsx'
import { Checkbox } from '../ui/fields/lazy/checkbox.tsx'
import { TextField } from '../ui/fields/lazy/text-field.tsx'
import { Group, OptionRow } from '../ui/group.tsx'
import { Icon, iconNames } from '../ui/icon.tsx'
import { Banner } from '../ui/lazy/banner.tsx'
import { RowIcon, rowIconNames } from '../ui/lazy/row-icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { socialProviderMarks } from '../ui/marks/brands/social-providers.ts'
import { Mark, type MarkDrawing } from '../ui/marks/mark.tsx'
import { Qr } from '../ui/qr/qr.tsx'
import { Accordion } from '../ui/rows/accordion.tsx'
import { Address } from '../ui/rows/address.tsx'
import { Fact, Facts } from '../ui/rows/facts.tsx'
import { createGalleryStore } from './app.ts'
import styles from './gallery.module.css'
import { accents, type Query } from './query.ts'

const ignore = () => undefined
const filesOfMarks = import.meta.glob<Record<string, MarkDrawing>>(
  [
    '../ui/marks/brands/*.ts',
    '!../ui/marks/brands/social-providers.ts',
    '../{capabilities,webauthn}/**/{passkey-,}mark.ts',
  ],
  { eager: true },
)
const capabilityMarks: Readonly<Record<string, MarkDrawing>> = Object.assign(
  {},
  ...Object.values(filesOfMarks),
)
const marks = Object.entries({ ...capabilityMarks, ...socialProviderMarks }).toSorted(([one], [other]) =>
  one.localeCompare(other),
)
const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

export function Components({ query }: { query: Query }) {
  const { scheme, accent, language } = query
  const store = useMemo(
    () =>
      createGalleryStore({
        appearance: { theme: scheme, accentColor: accents[accent] },
        intl: { locale: language },
      }),
    [scheme, accent, language],
  )
  return (
    <Provider store={store}>
      <Frame language={language} standalone={false}>
        <Parts />
      </Frame>
    </Provider>
  )
}

const Parts = () => (
  <div className={styles.parts}>
    <Part name="Button">
      <Button onPress={ignore}>Continue</Button>
      <Button onPress={ignore} disabled>
        Continue
      </Button>
      <Button onPress={ignore} busy="Sending code">
        Continue
      </Button>
      <Button kind="quiet" onPress={ignore}>
        Not now
      </Button>
      <Button kind="danger" onPress={ignore}>
        Delete the wallet
      </Button>
      <Button kind="text" onPress={ignore}>
        I have a passkey
      </Button>
      <ButtonLink href="https://fieldnotes.example">Join the waiting list</ButtonLink>
    </Part>
    <Part name="Group">
      <Group>
        <OptionRow
          icon={<Icon name="mail" />}
          label="E-mail"
          end={{ kind: 'tag', text: 'Last used' }}
          onPress={ignore}
        />
        <OptionRow
          icon={<RowIcon name="wallet" />}
          label="Rainbow"
          end={{ kind: 'action', text: 'Connect' }}
          onPress={ignore}
        />
        <OptionRow
          icon={<Icon name="expand" />}
          label="More options"
          end={{ kind: 'more' }}
          onPress={ignore}
        />
      </Group>
      <Group>
        <OptionRow label="View Terms" end={{ kind: 'more' }} onPress={ignore} />
        <OptionRow label="View Privacy Policy" end={{ kind: 'note', text: 'Changed' }} onPress={ignore} />
      </Group>
      <Facts>
        <Fact term="Network">Base</Fact>
        <Fact term="Wallet">
          <Address address={address} copyLabel="Copy" copiedLabel="Copied" />
        </Fact>
      </Facts>
    </Part>
    <Part name="Fields">
      <Fields />
    </Part>
    <Part name="Code">
      {(['ready', 'busy', 'wrong', 'done'] as const).map((status) => (
        <CodeField
          key={status}
          label={`Six-digit code, ${status}`}
          digitLabel={({ position }) => `Digit ${position} of 6`}
          status={status}
          attempt={0}
          onEdit={ignore}
          onNonNumeric={ignore}
          onFilled={ignore}
        />
      ))}
    </Part>
    <Part name="Banner and accordion">
      <Banner kind="warning">Add funds on Base to complete the transaction.</Banner>
      <Banner kind="danger">Never share your private key with anyone.</Banner>
      <Banner kind="info">Characters that cannot be seen are shown as their code.</Banner>
      <Accordion summary="Why this is asked">Because what you sign can be shown to others.</Accordion>
    </Part>
    <Part name="Status seal">
      <StatusSeal status="waiting">
        <RowIcon name="wallet" size={28} />
      </StatusSeal>
      <StatusSeal status="done" />
      <StatusSeal status="stopped" />
      <StatusSeal status="failed" />
    </Part>
    <Part name="QR code and logo">
      <Qr value="https://fieldnotes.example/connect/6f1c2a" label="Code to scan with a phone" />
      <div className={styles.row}>
        <Logo name="Fieldnotes" url={undefined} />
        <Logo name="Solstice" url={undefined} size="small" />
      </div>
    </Part>
    <Part name="Marks">
      <Group>
        {marks.map(([name, drawing]) => (
          <OptionRow key={name} icon={<Mark drawing={drawing} />} label={name} onPress={ignore} />
        ))}
      </Group>
    </Part>
    <Part name="Icons">
      <div className={styles.row}>
        {iconNames.map((name) => (
          <Icon key={name} name={name} />
        ))}
        {rowIconNames.map((name) => (
          <RowIcon key={name} name={name} />
        ))}
      </div>
      <div className={styles.row}>
        <IconButton icon={<Icon name="back" />} label="Back" onPress={ignore} />
        <IconButton icon={<Icon name="close" />} label="Close" onPress={ignore} />
      </div>
    </Part>
  </div>
)

function Fields() {
  const [name, setName] = useState('Mira')
  const [agreed, setAgreed] = useState(true)
  const email = {
    label: 'E-mail',
    placeholder: 'you@example.com',
    submitLabel: 'Submit',
    busyLabel: 'Sending code',
    problemOf: () => 'The “@” is missing.',
  }
  return (
    <>
      <EmailField {...email} initial="" busy={false} onSubmit={ignore} />
      <EmailField {...email} initial="mira@fieldnotes.example" busy={false} onSubmit={ignore} />
      <EmailField {...email} initial="mira@fieldnotes.example" busy onSubmit={ignore} />
      <TextField label="Name" value={name} onChange={setName} icon={<RowIcon name="person" />} />
      <TextField
        label="Recovery password"
        type="password"
        value="12"
        onChange={ignore}
        problem="Too short."
      />
      <Checkbox checked={agreed} onChange={setAgreed}>
        I have saved my recovery password
      </Checkbox>
      <Checkbox checked={!agreed} onChange={(checked) => setAgreed(!checked)}>
        Remind me later
      </Checkbox>
    </>
  )
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className={styles.part}>
    <h2 className={styles.partName}>{name}</h2>
    {children}
  </section>
)
