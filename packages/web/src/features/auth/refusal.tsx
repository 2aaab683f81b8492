import style from './auth.module.css'

/** What is wrong with a form as a whole. */
export const Refusal = ({ children }: { readonly children: string | undefined }) =>
  children ? (
    <p className={style.refusal} role="alert">
      {children}
    </p>
  ) : null
