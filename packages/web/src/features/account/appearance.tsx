import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language, setLanguage } from '../../lib/i18n.ts'
import { setShortcutsEnabled, useShortcuts } from '../../lib/shortcuts.ts'
import { showTheme, storedTheme, THEMES, type Theme } from '../../lib/theme.ts'
import { Card } from '../../ui/card.tsx'
import { Check, SelectField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import style from './account.module.css'

/** Display settings of this device. */
export const AppearancePage = () => {
  const { t, i18n } = useTranslation('account')
  const [theme, setTheme] = useState(storedTheme)
  const keys = useShortcuts()
  const choose = (value: Theme) => {
    showTheme(value)
    setTheme(value)
  }
  return (
    <Card className={sheet.part}>
      <h2>{t('display.title')}</h2>
      <p className={sheet.soft}>{t('display.text')}</p>
      <SelectField
        label={t('display.language')}
        value={i18n.language}
        onChange={(event) => void setLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <fieldset className={style.choices}>
        <legend>{t('display.theme')}</legend>
        {THEMES.map((value) => (
          <label key={value}>
            <input type="radio" name="theme" checked={theme === value} onChange={() => choose(value)} />
            {t(`display.themes.${value}`)}
          </label>
        ))}
      </fieldset>
      <Check
        label={t('display.shortcuts')}
        hint={t('display.shortcutsHint')}
        checked={keys.on}
        onChange={(event) => setShortcutsEnabled(event.currentTarget.checked)}
      />
    </Card>
  )
}
