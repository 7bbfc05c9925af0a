import type { ComponentProps } from 'react'
import { Group, OptionRow } from '../group.tsx'
import { RowIcon } from '../row-icon.tsx'

type AccountRowProps = {
  icon: ComponentProps<typeof RowIcon>['name']
  label: string
  /** How it stands; without it the row leads on. */
  note?: string
  onPress: () => void
}

/** The row of a capability where a user looks at their account. */
export const AccountRow = ({ icon, label, note, onPress }: AccountRowProps) => (
  <Group>
    <OptionRow
      icon={<RowIcon name={icon} />}
      label={label}
      end={note === undefined ? { kind: 'more' } : { kind: 'note', text: note }}
      onPress={onPress}
    />
  </Group>
)
