package source

import (
	"strings"
	"sync"
)

// countries holds the officially assigned codes of ISO 3166-1 alpha-2.
var countries = sync.OnceValue(func() map[string]bool {
	return wordSet(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`)
})

// currencies holds the codes of ISO 4217, list one; withdrawn codes are not in
// it.
var currencies = sync.OnceValue(func() map[string]bool {
	return wordSet(`
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX
YER ZAR ZMW ZWG`)
})

// freeMail holds domains where anyone can get a mailbox, so that an address
// there proves nothing about a company.
var freeMail = sync.OnceValue(func() map[string]bool {
	return wordSet(`
gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr hotmail.it hotmail.es
hotmail.co.uk live.com live.de live.fr live.co.uk msn.com passport.com yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es
yahoo.co.uk yahoo.co.jp yahoo.co.in yahoo.ca yahoo.com.br yahoo.com.ar ymail.com rocketmail.com aol.com aol.de aim.com
icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io
tutamail.com keemail.me gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.fr gmx.us web.de freenet.de t-online.de arcor.de
mail.de email.de posteo.de posteo.net mailbox.org mail.com email.com usa.com consultant.com engineer.com europe.com
zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm hushmail.com hush.com runbox.com disroot.org riseup.net
yandex.ru yandex.com ya.ru mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru lenta.ru ukr.net i.ua meta.ua
qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn 21cn.com aliyun.com tom.com
naver.com hanmail.net daum.net nate.com rediffmail.com libero.it virgilio.it tiscali.it alice.it tin.it
orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr seznam.cz email.cz centrum.cz post.cz volny.cz
wp.pl o2.pl onet.pl interia.pl op.pl poczta.onet.pl abv.bg mail.bg azet.sk zoznam.sk freemail.hu citromail.hu
bluewin.ch hispeed.ch sapo.pt uol.com.br bol.com.br terra.com.br ig.com.br comcast.net verizon.net att.net
sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com btinternet.com sky.com talktalk.net
virginmedia.com ntlworld.com bigpond.com optusnet.com.au xtra.co.nz shaw.ca rogers.com sympatico.ca telus.net
excite.com lycos.com inbox.com inbox.lv mailfence.com startmail.com countermail.com duck.com simplelogin.com
mailinator.com guerrillamail.com 10minutemail.com yopmail.com trashmail.com temp-mail.org sharklasers.com dispostable.com`)
})

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
