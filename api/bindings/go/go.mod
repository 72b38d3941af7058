module dolmen

go 1.19
