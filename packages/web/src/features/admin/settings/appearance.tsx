import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { contrast, MIN_CONTRAST } from '../../../lib/colors.ts'
import { locale } from '../../../lib/i18n.ts'
import { keys } from '../../../lib/query-keys.ts'
import { FormSection, Tag } from '../form-kit.tsx'
import { type SettingSheet, SettingsArea, type Values } from './form.tsx'
import style from './settings.module.css'

const COLORS = ['primary_color', 'secondary_color'] as const
const SHEETS: readonly SettingSheet[] = [
  {
    title: 'colors',
    fields: COLORS.map((key) => ({ key, kind: 'color', hint: true })),
  },
  {
    title: 'pictures',
    fields: [
      { key: 'logo_url', kind: 'text', hint: true },
      { key: 'favicon_url', kind: 'text', hint: true },
    ],
  },
  { title: 'css', fields: [{ key: 'custom_css', kind: 'area', hint: true }] },
]
const BEHIND = { white: '#ffffff', black: '#14161a' } as const
const PAIRS = COLORS.flatMap((color) => (['white', 'black'] as const).map((behind) => [color, behind] as const))

const Contrast = ({ values }: { readonly values: Values }) => {
  const { t } = useTranslation('admin')
  const format = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 })
  return (
    <FormSection title={t('contrast.title')} hint={t('contrast.hint')}>
      <ul className={style.contrasts}>
        {PAIRS.map(([color, behind]) => {
          const ratio = contrast(String(values[color]), BEHIND[behind])
          return (
            <li key={color + behind}>
              {t('contrast.pair', { color: t(`setting.${color}`), background: t(`contrast.${behind}`), ratio: format.format(ratio) })}{' '}
              <Tag kind={ratio >= MIN_CONTRAST ? 'good' : 'warn'}>{t(ratio >= MIN_CONTRAST ? 'contrast.sufficient' : 'contrast.low')}</Tag>
            </li>
          )
        })}
      </ul>
    </FormSection>
  )
}

/** Warns that the stored custom CSS is not used because it violates rules introduced later. */
const UnusedSheet = () => {
  const { t } = useTranslation('admin')
  const { data } = useQuery({
    queryKey: keys.admin.customCss,
    queryFn: async () => (await client.settings.get({ key: 'custom_css' })).data,
  })
  return data?.problem ? <p role="alert">{t('appearance.unusedCss', { problem: data.problem })}</p> : null
}

/** Colors with a contrast check, images and custom CSS. */
export const AppearancePage = () => (
  <SettingsArea area="appearance" sheets={SHEETS}>
    {(values) => (
      <>
        <UnusedSheet />
        <Contrast values={values} />
      </>
    )}
  </SettingsArea>
)
