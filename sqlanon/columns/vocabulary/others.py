"""Names of columns that say nothing of a person: weights, flags, labels, marks of the machine."""

from __future__ import annotations

from .meaning import OTHER, Meaning, keys_of

OTHERS = (
    Meaning(
        OTHER,
        "Sampling weight: it says how many people a row stands for.",
        names="pwgtp wgtp fnlwgt perwt hhwt asecwt wtfinl earnwt pwsswgt pworwgt pwcmpwgt marsupwt wtmec2yr wtint2yr "
        "wtmec4yr wtint4yr wtsaf2yr wtmecprp wtintprp llcpwt llcpwt2 wt2rake finalwt wtrake repwt repwtp slwt "
        "wtss wtssall wtssps llcpwtv pwlgwgt pwvetwgt hwhhwgt hsupwgt fsupwgt afnlwgt finalwgt",
        words="sampleweight samplingweight surveyweight finalweight personweight replicateweight replicate repweight "
        "householdweight designweight weighting analysisweight expansionfactor jackknife bootstrapweight",
        kind="weight of a sample",
    ),
    Meaning(
        OTHER,
        "Design of the survey: strata and clusters.",
        names="sdmvpsu sdmvstra psu ststr stratum strata cluster rt adjinc adjhsg sddsrvyr ridstatr vstrat vpsu",
        words="stratum primarysamplingunit samplingunit surveyyear surveymonth",
    ),
    Meaning(
        OTHER,
        "Says how a value was obtained, not what somebody is.",
        names="fagep fancp fcitp fcitwp fcowp fddrsp fdearp fdeyep fdisp fdoutp fdphyp fdratp fdratxp fdremp fengp "
        "fesrp fferp ffodp fgclp fgcmp fgcrp fhicovp fhins1p fhins2p fhins3p fhins3c fhins4p fhins4c fhins5p fhins5c "
        "fhins6p fhins7p fhisp findp fintp fjwdp fjwmnp fjwrip fjwtrnsp flanp flanxp fmarp fmarhdp fmarhmp fmarhtp "
        "fmarhwp fmarhyp fmigp fmigsp fmilpp fmilsp foccp foip fpap fpernp fpincp fpobp fpowsp fprivcovp fpubcovp "
        "fracp frelp frelshipp fretp fschgp fschlp fschp fsemp fsexp fssip fssp fwagp fwkhp fwklp fwkwnp fwrkp fyoep "
        "qage qsex qrace",
        words="imputed imputation allocationflag imputationflag qualityflag dataquality",
    ),
    Meaning(
        OTHER,
        "A mark of the machine: when or by what a row was written.",
        words="createdat updatedat created updated modified modifiedat inserted insertedat loadedat loaddate "
        "loadtime "
        "storetime etldate etltimestamp lastmodified lastupdated ingestedat timestamputc",
        kind="date",
    ),
    Meaning(
        OTHER,
        "A mark of the machine: which file or version a row comes from.",
        names="version etl",
        words="checksum filename sourcefile rowversion schemaversion etlversion",
    ),
    Meaning(
        OTHER,
        "Key of a thing or a kind of thing, not of a person.",
        names="itemid seqnum gsnid sku unitsourcevalue",
        words=f"{keys_of('product concept category type vocabulary code currency unitconcept sensor asset')} "
        "conceptid unitofmeasure valueuom uom currency",
    ),
    Meaning(
        OTHER,
        "A label to be predicted: give it the role of what it says.",
        names="class target label y prediction predicted classlabel",
        most=100,
    ),
    Meaning(
        OTHER,
        "A count of things, without a known meaning about people.",
        names="n count total qty quantity freq frequency",
        words="count counts rowcount",
    ),
)
