import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { LANGUAGES, type Language, setLanguage, storedLanguage } from '../../lib/i18n.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { sessionQuery, useMe } from '../../lib/session.ts'
import { setShortcutsEnabled, useShortcuts } from '../../lib/shortcuts.ts'
import { showTheme, storedTheme, THEMES, type Theme } from '../../lib/theme.ts'
import { Card } from '../../ui/card.tsx'
import { Check, SelectField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { toast } from '../../ui/toasts.tsx'
import style from './account.module.css'

/** The language of the app, of mail and of push messages; stored in the account. */
const LanguageCard = () => {
  const { t } = useTranslation('account')
  const me = useMe()
  const save = useMutation({
    mutationFn: async (lang: Language | '') => {
      await client.profiles.update({ username: me.username, lang })
      await setLanguage(lang)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    onError: (error) => toast(errorMessage(error), 'failed'),
  })
  return (
    <Card className={sheet.part}>
      <h2>{t('display.language')}</h2>
      <SelectField
        label={t('display.language')}
        hint={t('display.languageHint')}
        value={save.isPending ? save.variables : me.lang || storedLanguage()}
        onChange={(event) => save.mutate(event.currentTarget.value as Language | '')}
      >
        <option value="">{t('display.automatic')}</option>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </SelectField>
    </Card>
  )
}

/** The language, and display settings of this device. */
export const AppearancePage = () => {
  const { t } = useTranslation('account')
  const [theme, setTheme] = useState(storedTheme)
  const keys = useShortcuts()
  const choose = (value: Theme) => {
    showTheme(value)
    setTheme(value)
  }
  return (
    <>
      <LanguageCard />
      <Card className={sheet.part}>
        <h2>{t('display.title')}</h2>
        <p className={sheet.soft}>{t('display.text')}</p>
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
    </>
  )
}
