import type { Topic } from '../types.ts'
import { lines, words } from '../words.ts'

const photo: Topic = {
  key: 'photo',
  language: 'fr',
  lists: {
    thing: words(
      'la photo de rue, les poses longues, le noir et blanc, les portraits près d’une fenêtre, la macro, l’argentique, les paysages, la photo de nuit, les oiseaux, les tirages maison, les vieux objectifs, les livres de photos',
    ),
    gear: words(
      'un trépied, un 50 mm, une cellule, un filtre polarisant, un flash, un scanner de négatifs, une seconde batterie, un sac étanche',
    ),
    problem: words(
      'le flou de mise au point, les hautes lumières brûlées, le bruit en basse lumière, la poussière sur le capteur, les teints verdâtres, la timidité, les disques pleins',
    ),
    doing: words('trier, tirer, attendre la lumière'),
    did: words(
      'photographié le port avant l’aube, développé mon premier film, fait le portrait de mes voisins, tiré la série sur papier, nettoyé le capteur moi-même, accroché trois tirages au café',
    ),
    where: words(
      'en basse lumière, au bord de la mer, dans une usine vide, sous la pluie, dans un salon minuscule, avec un simple téléphone, en plein midi',
    ),
    goal: words(
      'photographier des inconnus sans gêner, garder des archives en ordre, faire moins de photos mais de meilleures, tirer des images fidèles à l’écran, trouver un style, raconter une histoire en dix images',
    ),
    hobby: words('la photo, les brocantes, le noir et blanc'),
  },
  cases: [
    {
      titles: lines(`
        Tirages beaucoup plus sombres que l’écran
        Pourquoi mes tirages sont-ils si sombres ?`),
      story: lines(`
        J’ai commandé {k=4-20} tirages {time*} : tous trop sombres, sans détail dans les ombres. À l’écran, tout est [parfait|normal].
        Mon imprimante et le labo font pareil : sombre, un peu [vert|chaud]. Je retouche surtout le soir.`),
      tried: lines(`
        J’ai utilisé le profil du labo et baissé l’écran de moitié.
        J’ai ajouté un tiers de diaphragme, mais ce n’est pas une solution.`),
      ask: lines(`
        Faut-il une sonde ?
        À quelle luminosité travaillez-vous ?`),
      answers: lines(`
        Écran trop lumineux, presque toujours. 80 à 100 cd/m² dans une pièce sombre.
        Regarde le tirage sous une vraie lampe à côté de l’écran.
        Une bande d’essai : cinq petites versions sur une seule feuille, et c’est réglé.
        La sonde est le meilleur achat que j’aie fait.
        Épreuvage à l’écran avec le profil du papier, puis remonte les ombres.`),
    },
    {
      titles: lines(`
        Comment aborder des inconnus ?
        Peur de la photo de rue`),
      story: lines(`
        J’adore {thing}, mais dès qu’il y a quelqu’un dans le cadre, je [me fige|baisse l’appareil]. En {span*}, j’ai osé demander à {k=2-6} personnes.
        {Time*} j’ai vu un visage extraordinaire, je suis resté {3-10} minutes l’appareil à la main, et je suis rentré.`),
      ask: lines(`
        Que dites-vous ?
        Avant ou après la photo ?`),
      answers: lines(`
        « Vous êtes très bien dans cette lumière, je peux ? » Un sourire, et on accepte le non.
        Commence par des gens qui font quelque chose : marchands, musiciens.
        Propose d’envoyer la photo. J’ai des petites cartes pour ça.
        Fixe-toi un chiffre : cinq personnes en une heure. Après la deuxième, la peur est partie.
        Je photographie d’abord, puis je vais montrer.`),
    },
    {
      titles: lines(`
        {k=20-90/10} 000 photos : comment les ranger ?
        Mes archives sont un désastre`),
      story: lines(`
        {k=20-90/10} 000 fichiers sur trois disques, des dossiers « nouveau », « nouveau 2 » et « à trier ». {Time*}, impossible de retrouver une image de {2009-2021}.`),
      ask: lines(`
        Par date, par sujet, ou un grand tas ?
        Comment sauvegardez-vous ?`),
      answers: lines(`
        Année, puis date et un mot. Rien de plus.
        Jette d’abord, range ensuite. J’en garde une sur quinze.
        Deux disques chez toi, un chez {buddy*}. Et teste la restauration !
        Dix minutes par jour, en remontant le temps. Dans un an c’est fini.`),
    },
  ],
  shows: lines(`
    Levé à {4-5} h {10-55}, personne à part un renard qui se moquait bien de moi.
    {30-36} vues, {3-6} gardées, une que je vais tirer.
    La lumière a duré {4-12} minutes. J’en ai passé deux à chercher le filtre.
    La photo que je voulais n’est pas venue. Celle que j’ai est meilleure.`),
  details: lines(`
    Tout au {28-85} mm.
    J’ai exposé pour les hautes lumières et laissé le reste.
    Retouche : {5-30/5} minutes, surtout du contraste.
    Il pleuvait, l’appareil vivait dans un sac de congélation.
    Il y a du grain dans les ombres, et j’ai décidé de l’aimer.`),
  tips: lines(`
    Regarde les bords du cadre avant de déclencher.
    Approche-toi. Puis encore un peu.
    Expose pour les hautes lumières.
    Imprime une photo par semaine, même petite.
    Retourne-toi, la photo est souvent derrière.
    Garde une batterie au chaud en hiver.
    Ne supprime jamais sur l’appareil.`),
  opinions: lines(`
    Personne n’a jamais dit devant une photo : quelle netteté dans les coins.
    Un téléphone dans une belle lumière vaut mieux que le meilleur boîtier à midi.
    On en montre trop. Dix images font une histoire, cinquante une sauvegarde.
    L’argentique n’est pas meilleur, il est plus lent, et c’est tout l’intérêt.
    La meilleure amélioration, c’est un billet de train.`),
  replies: lines(`
    Quel objectif ? Le rendu est très beau.
    Je recadrerais un peu à gauche.
    La lumière ! Tu as attendu longtemps ?
    La deuxième est plus forte, à cause des mains.
    Essaie en noir et blanc, pour voir.
    Argentique ou numérique ?
    L’horizon penche un peu, ou c’est le bâtiment ?`),
  polls: [
    { question: 'Un seul objectif pour un an ?', options: ['28 mm', '35 mm', '50 mm', '85 mm', 'Un zoom'] },
    {
      question: 'Que faites-vous de vos meilleures photos ?',
      options: ['Je les accroche', 'Un livre', 'Je les publie', 'Elles dorment sur un disque'],
    },
  ],
  resources: [
    ['Voir en noir et blanc', 'comment les tons se séparent'],
    ['Les planches-contacts d’un reporter de province', 'quarante ans d’actualité locale'],
    ['La couleur sans larmes', 'le premier texte que j’ai compris sur le sujet'],
    ['Douze lumières de fenêtre', 'chacune avec son plan'],
  ],
}

const potager: Topic = {
  key: 'potager',
  language: 'fr',
  lists: {
    thing: words(
      'les tomates, le compost, les semis, les haies, le paillage, les fraises, les pommes de terre en sac, les salades d’hiver, les rosiers, les herbes du balcon, les fèves, les vieux pommiers',
    ),
    plant: words('tomates, courgettes, piments, dahlias, concombres, aubergines'),
    gear: words('une serre, un récupérateur d’eau, un sécateur, une brouette, un châssis, une grelinette, un broyeur'),
    problem: words('les limaces, le mildiou, les pucerons, le gel tardif, la terre lourde, le liseron, le chat des voisins'),
    doing: words('pailler, semer, tailler'),
    did: words(
      'planté les poireaux, construit le deuxième bac, récolté les premières fraises, retourné le compost, taillé le vieux pommier, rempoté tout le balcon',
    ),
    where: words('sur un balcon au nord, en terre argileuse, dans un jardin partagé, à 800 mètres, en ville, au bord de la mer'),
    goal: words(
      'récolter sur un balcon, tenir les limaces à distance, faire un bon compost, remplir un coin d’ombre, garder des fleurs toute l’année, commencer un jardin partagé',
    ),
    hobby: words('le potager, les semences anciennes'),
  },
  cases: [
    {
      titles: lines(`
        {Plant} : les feuilles du bas jaunissent
        Feuilles jaunes sur mes {plant}`),
      story: lines(`
        J’ai {k=3-9} pots de 30 cm, {where}. Depuis {5-14} jours, les feuilles du bas jaunissent sur mes {plant}, le haut reste [vert|sain].`),
      tried: lines(`
        Un seul apport d’engrais, arrosage chaque soir.
        Aucun insecte visible, même à la loupe.`),
      ask: lines(`
        Trop d’eau ou pas assez à manger ?
        Rempoter ou attendre ?`),
      answers: lines(`
        Par le bas, c’est la faim. Un apport par semaine et ça repart.
        Tous les soirs, c’est beaucoup. Mets un doigt dans la terre.
        30 cm, c’est petit pour des {plant}.
        Deux ou trois feuilles jaunes, ce n’est rien. Je les enlève.`),
    },
    {
      titles: lines(`
        {k=8-30} plants mangés en une nuit
        Qui mange mes semis ?`),
      story: lines(`
        Plantés {time*}, disparus au matin : {k=8-30} plants, {where}. Pas de bave visible. J’ai guetté à onze heures avec une lampe, rien.`),
      ask: lines(`
        Limaces, oiseaux, autre chose ?
        Que faites-vous ?`),
      answers: lines(`
        Coupés au ras du sol et laissés là ? Des vers gris. Gratte autour du pied.
        Va voir à deux heures, pas à onze.
        Je ne repique plus rien avant une main de haut. Depuis, la paix.
        Les coquilles d’œuf n’en ont jamais arrêté une seule chez moi.`),
    },
  ],
  shows: lines(`
    {3-9} brouettes de terre, {8-24} planches et un assistant très patient.
    {12-70} kilos sur la surface d’une place de parking, tout est pesé.
    Sur {20-60} graines, {12-19} ont levé. Un record.
    J’ai compté {5-16} abeilles différentes sur l’origan.`),
  details: lines(`
    La terre ici, c’est de l’argile pure.
    On n’arrose qu’à l’eau de pluie.
    Le hérisson est revenu.
    L’étiquette s’est effacée, je ne connais donc pas la variété.`),
  tips: lines(`
    Arrose le matin, au pied, jamais sur les feuilles.
    Paille avant la sécheresse.
    Étiquette tout.
    Sème la moitié, et l’autre trois semaines plus tard.
    Regarde sous les feuilles une fois par semaine.
    Plante les herbes près de la porte de la cuisine.`),
  opinions: lines(`
    Bêcher abîme plus que ça n’aide.
    La pelouse est la culture la plus chère, et personne ne la mange.
    Un jardin trop propre en hiver n’a pas de coccinelles au printemps.
    Les bourses aux graines valent tous les catalogues.`),
  replies: lines(`
    Quelle variété ?
    Chez moi, une nuit et il n’en reste rien 😅
    Purin d’ortie. Ça pue, ça marche.
    J’échange des graines si tu veux.
    À {400-1100/10} mètres, impossible, hélas.
    Tu arroses souvent ?`),
  polls: [
    { question: 'Contre les limaces ?', options: ['Ronde de nuit', 'Nématodes', 'Canards', 'J’ai abandonné'] },
    { question: 'Bêcher ?', options: ['Jamais', 'Une fois', 'Chaque automne', 'Selon la planche'] },
  ],
  resources: [
    ['Une année sur trois cents mètres carrés', 'un journal avec ses ratages'],
    ['La vie du compost', 'ce qui se passe vraiment dans le tas'],
    ['Quarante légumes pour l’ombre', 'testés, pas recopiés'],
  ],
}

export const frenchTopics = [photo, potager]
