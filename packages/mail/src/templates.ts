/** The common layout of mails, a Mustache template. */
export const MAIL = `<!doctype html>
<html lang="{{lang}}" dir="{{dir}}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
    <title>{{title}}</title>
    <style>
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    body { -webkit-text-size-adjust: 100%; }
    @media (prefers-color-scheme: dark) {
      .page { background: #14161b !important; }
      .card { background: {{look.dark.card}} !important; border-color: #31353f !important; }
      .ink { color: #f2f3f5 !important; }
      .body { color: #d8dbe2 !important; }
      .soft { color: #a2a8b5 !important; }
      .well { background: #292d36 !important; border-color: {{look.dark.button}} !important; }
      .rule { border-color: #31353f !important; }
      .button { background: {{look.dark.button}} !important; }
      .label { color: {{look.dark.label}} !important; }
      .accent { color: {{look.dark.accent}} !important; }
      .tint { background: {{look.dark.tint}} !important; color: {{look.dark.onTint}} !important; }
    }
    @media (max-width: 600px) {
      .around { padding: 24px 12px !important; }
      .card { padding: 28px 20px !important; }
      .foot { padding: 20px 20px 0 !important; }
    }
    </style>
  </head>
  <body class="page" style="margin:0;padding:0;background:#f3f4f7;">
    {{#preview}}
    <div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent;">
      {{{html}}}{{{spaces}}}
    </div>
    {{/preview}}
    <table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f7;">
      <tr>
        <td class="around" align="center" style="padding:40px 16px;">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:start;">
            {{#masthead}}
            <tr><td style="padding:0 8px 20px;">
              <a href="{{url}}" style="text-decoration:none;">
                <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
                  <td width="32" valign="top"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
                    <td class="button label" width="32" height="32" align="center" valign="middle" bgcolor="{{look.button}}"
                      style="width:32px;height:32px;border-radius:8px;background:{{look.button}};font:700 16px/32px {{{font}}};color:{{look.label}};">
                      {{initial}}</td>
                  </tr></table></td>
                  <td class="ink" dir="auto" style="padding:0 12px;font:600 16px/1.3 {{{font}}};color:#14171d;">{{name}}</td>
                </tr></table>
              </a>
            </td></tr>
            {{/masthead}}
            <tr><td class="card" style="padding:40px;background:#ffffff;border:1px solid #e2e5ea;border-radius:16px;">
              <h1 class="ink" style="margin:0 0 20px;font:700 24px/1.3 {{{font}}};color:#14171d;letter-spacing:-0.01em;overflow-wrap:anywhere;">{{title}}</h1>
              {{#components}}
              {{#text}}
              <p class="body" dir="auto" style="margin:0{{^last}} 0 16px{{/last}};font:16px/1.6 {{{font}}};color:#2b2f38;{{anywhere}}">{{{html}}}</p>
              {{/text}}
              {{#heading}}
              <h2 class="soft" dir="auto" style="margin:32px 0 4px;font:600 13px/1.4 {{{font}}};color:#69707f;letter-spacing:0.02em;">{{heading}}</h2>
              {{/heading}}
              {{#quote}}
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0{{^last}} 0 24px{{/last}};">
                <tr><td class="well" style="padding:20px;background:#f5f6f9;border-radius:12px;">
                  {{#person}}
                  <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px;"><tr>
                    <td width="40" valign="top">
                      {{>initials}}
                    </td>
                    <td style="padding:0 12px;">
                      <div class="ink" dir="auto" style="font:600 15px/1.4 {{{font}}};color:#14171d;{{anywhere}}">{{name}}</div>
                      {{#detail}}
                      <div class="soft" dir="auto" style="font:13px/1.4 {{{font}}};color:#69707f;{{anywhere}}">{{{detail}}}</div>
                      {{/detail}}
                    </td>
                  </tr></table>
                  {{/person}}
                  <div class="body" dir="auto" style="font:16px/1.6 {{{font}}};color:#2b2f38;{{anywhere}}">{{{html}}}</div>
                </td></tr>
              </table>
              {{/quote}}
              {{#items}}
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0;">
                {{#rows}}
                <tr>
                  {{#initials}}
                  <td class="rule" width="40" valign="top" style="width:40px;padding:14px 0;border-top:{{rule}} solid #e9ebef;">
                    {{>initials}}
                  </td>
                  {{/initials}}
                  <td class="rule" valign="top"{{#indented}} colspan="2"{{/indented}}
                    style="padding:14px 0{{#initials}} 14px 14px{{/initials}};border-top:{{rule}} solid #e9ebef;">
                    <a class="ink"{{#written}} dir="auto"{{/written}} href="{{url}}"
                      style="display:block;font:600 16px/1.4 {{{font}}};color:#14171d;text-decoration:none;{{anywhere}}">{{{title}}}</a>
                    {{#excerpt}}
                    <div class="body" dir="auto" style="margin-top:4px;font:15px/1.5 {{{font}}};color:#454b57;{{anywhere}}">{{{excerpt}}}</div>
                    {{/excerpt}}
                    {{#detail}}
                    <div class="soft" style="margin-top:4px;font:13px/1.5 {{{font}}};color:#69707f;{{anywhere}}">{{{detail}}}</div>
                    {{/detail}}
                  </td>
                  {{#aside}}
                  <td class="rule accent" align="right" valign="top"
                    style="padding:15px 0 14px 12px;border-top:{{rule}} solid #e9ebef;font:600 14px/1.5 {{{font}}};color:{{look.accent}};white-space:nowrap;">{{aside}}</td>
                  {{/aside}}
                </tr>
                {{/rows}}
              </table>
              {{/items}}
              {{#button}}
              <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0;">
                <tr><td class="button" bgcolor="{{look.button}}" style="border-radius:10px;background:{{look.button}};">
                  <a class="label" href="{{url}}"
                    style="display:inline-block;padding:13px 26px;font:600 16px/1.25 {{{font}}};color:{{look.label}};text-decoration:none;">{{label}}</a>
                </td></tr>
              </table>
              {{#spelled}}
              <p class="soft" style="margin:24px 0 0;font:13px/1.6 {{{font}}};color:#69707f;word-break:break-all;">
                {{orOpen}}<br>
                <a class="soft" href="{{url}}" style="color:#69707f;">{{url}}</a>
              </p>
              {{/spelled}}
              {{/button}}
              {{/components}}
            </td></tr>
            <tr><td class="foot" style="padding:24px 40px 0;">
              <p class="soft" style="margin:0;font:13px/1.6 {{{font}}};color:#69707f;overflow-wrap:anywhere;">{{footer}}</p>
              {{#footnote}}
              <p class="soft" dir="auto" style="margin:8px 0 0;font:13px/1.6 {{{font}}};color:#69707f;overflow-wrap:anywhere;white-space:pre-line;">{{footnote}}</p>
              {{/footnote}}
              {{#hasLinks}}
              <p class="soft" style="margin:8px 0 0;font:13px/1.6 {{{font}}};color:#69707f;">
                {{#links}}
                {{^first}}&nbsp;·&nbsp; {{/first}}<a class="soft" href="{{url}}"
                  style="color:#69707f;text-decoration:underline;">{{label}}</a>
                {{/links}}
              </p>
              {{/hasLinks}}
            </td></tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`

/** The initials of a person in a colored circle; part of the layout. */
export const INITIALS = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
  <td class="tint" width="40" height="40" align="center" valign="middle" bgcolor="{{look.tint}}"
    style="width:40px;height:40px;border-radius:20px;background:{{look.tint}};font:600 15px/40px {{{font}}};color:{{look.onTint}};">
    {{initials}}</td>
</tr></table>
`
