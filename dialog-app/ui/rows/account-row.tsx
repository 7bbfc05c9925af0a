import type { ComponentProps } from 'react'
import { Group, OptionRow } from '../group.tsx'
import { RowIcon } from '../lazy/row-icon.tsx'

type AccountRowProps = {
  icon: ComponentProps<typeof RowIcon>['name']
  label: string
  /** The status. Without it the row shows a chevron. */
  note?: string
  onPress: () => void
}

/** A capability's row on the account screen. */
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
