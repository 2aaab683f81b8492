import { useTranslation } from 'react-i18next'
import { setShortcutsEnabled, useShortcuts } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import style from './keys-dialog.module.css'

/** The list of shortcuts of this page, with a switch to turn them off. */
export const ShortcutsDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('feeds')
  const { on, keys } = useShortcuts()
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className={style.keys}>
        {keys.map(({ key, says }) => (
          <div key={key} className={style.row}>
            <dt>
              <kbd className={style.key}>{key}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <Check
        label={t('shortcuts.enable')}
        hint={t('shortcuts.enableHint')}
        checked={on}
        onChange={({ currentTarget }) => setShortcutsEnabled(currentTarget.checked)}
      />
    </Dialog>
  )
}
